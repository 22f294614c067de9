"""Child processes that may die: they are started, asked, watched and ended.

- `launch`: the command and the limits; `process`: one child, fed, read and watched
- `client`: the adapter protocol with one child; `session`: questions to a target that may die
- `clock`, `resources`: the child's own time, and its memory; `exit_text`: what to say of its end
- `restarted`: a program that is started again after it was lost; `losses`: how often it may be
- `leftovers`: processes that it left behind
"""
