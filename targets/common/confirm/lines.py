"""What a script prints of its library's records: a line each, in the specification's words."""


def show(**fields: object) -> None:
    """Print one record; a library that does not give a field leaves it out."""
    print(" ".join(f"{name}={_text(value)}" for name, value in fields.items()), flush=True)


def show_error(error: BaseException) -> None:
    """Print what the library raised, in one line."""
    print(f"error: {type(error).__name__}: {' '.join(str(error).split())}", flush=True)


def _text(value: object) -> str:
    if value is None:
        return "null"
    if not isinstance(value, bytes):
        return str(value)
    return value.hex() or "empty"
