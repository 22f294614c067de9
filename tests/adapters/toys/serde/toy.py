from serde import Answer, Question, serve


def read(question: Question) -> Answer:
    if question.content == "string":
        raise NotImplementedError("no such thing")
    if question.content == "void":
        key, value = question.headers[-1]
        said = "-" if value is None else value.hex()
        return {"value": f"{key.encode().hex()}:{said}:{question.schema.encode().hex()}"}
    if not question.data:
        raise ValueError("not so")
    return {"schema_id": len(question.headers), "payload": question.data.hex()}


serve("toy", "1", {"confluent": ["schema_id", "payload"], "void": ["value"], "string": ["value"]}, read)
