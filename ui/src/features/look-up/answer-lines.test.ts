import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { jsonLines } from './answer-lines.ts';

const bodyOf = (...parts: readonly string[]) =>
  new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      const encoder = new TextEncoder();
      for (const part of parts) controller.enqueue(encoder.encode(part));
      controller.close();
    },
  });

async function read(...parts: readonly string[]): Promise<unknown[]> {
  const values: unknown[] = [];
  for await (const group of jsonLines(bodyOf(...parts))) values.push(...group);
  return values;
}

describe('jsonLines', () => {
  it('reads values that are cut anywhere', async () => {
    assert.deepEqual(await read('{"a"', ':1}\n{"b":', '2}', '\n\n3'), [{ a: 1 }, { b: 2 }, 3]);
  });
  it('reads nothing from an empty body', async () => {
    assert.deepEqual(await read(), []);
  });
  it('refuses a line that is cut at the end of the body', async () => {
    await assert.rejects(read('{"a":1}\n{"b"'), SyntaxError);
  });
});
