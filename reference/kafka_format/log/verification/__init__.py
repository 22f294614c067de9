"""Every rule of a log directory, checked: what is broken, where, and in which file.

- `breach`: a broken rule; `partition`: all rules of one partition; `directory`: those of a data
  directory
- `segments`, `indexes`, `producers`, `kraft`: the rules by subject
"""

from kafka_format.log.verification.breach import Breach
from kafka_format.log.verification.directory import verify_directory
from kafka_format.log.verification.partition import verify_partition

__all__ = ["Breach", "verify_directory", "verify_partition"]
