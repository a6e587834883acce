/**
 * Yields the JSON values of a body of one value a line, in the groups in which they arrive.
 * @throws SyntaxError for a line that is not JSON
 */
export async function* jsonLines(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<unknown[], void, undefined> {
  let rest = '';
  for await (const part of chunksOf(body.pipeThrough(new TextDecoderStream()))) {
    const lines = (rest + part).split('\n');
    rest = lines.pop() ?? '';
    const values = lines.filter((line) => line !== '').map(parse);
    if (values.length > 0) yield values;
  }
  if (rest !== '') yield [parse(rest)];
}

function parse(line: string): unknown {
  return JSON.parse(line);
}

/** Safari has no asynchronous iteration of streams before version 26. */
async function* chunksOf<Chunk>(stream: ReadableStream<Chunk>): AsyncGenerator<Chunk, void, undefined> {
  const reader = stream.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    await reader.cancel();
  }
}
