"""The known targets, and what a user's TARGET means.

Each folder of `targets/` with a manifest.yaml is a library, and each section of the manifest a
target: how it is installed, how it is started. Installing puts it into a cache folder of its own
for each version; nothing is installed unless asked for. A target whose toolchain is missing is
shown as not ready and never fails a run.
"""
