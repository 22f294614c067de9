// Puts the protocol's vectors to a codec: `kafka-conformance vectors --protocol --export out`, `node protocol.mjs out`.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";

// Your codec: returns what `value` has, and throws where it refuses.
function decode(data, kind, message, version) {
  throw new Error("your codec");
}

function passes(vector, version) {
  let value;
  try {
    value = decode(Buffer.from(vector.hex, "hex"), vector.kind, vector.message, version);
  } catch {
    return vector.verdict !== "valid"; // lenient vectors may be refused, invalid ones must be
  }
  return vector.verdict !== "invalid" && isDeepStrictEqual(value, vector.value);
}

const folder = process.argv[2];
const read = (file) => readFileSync(join(folder, file), "utf8");
const counts = {};
for (const entry of JSON.parse(read("protocol.json")).files) {
  for (const line of read(entry.file).trimEnd().split("\n")) {
    const vector = JSON.parse(line);
    const count = (counts[vector.verdict] ??= { seen: 0, passed: 0 });
    for (const version of vector.versions) {
      count.seen += 1;
      count.passed += Number(passes(vector, version));
    }
  }
}
for (const [verdict, count] of Object.entries(counts).sort())
  console.log(`${verdict}: ${count.seen} messages, ${count.passed} passed`);
