import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { MATCH_ALL } from '../../datastore/port/query-tree.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { fileDocument } from '../../documents/kinds/analysis/file.ts';
import { submissionDocument } from '../../documents/kinds/analysis/submission.ts';
import { startTestProgram, type TestProgram } from '../../testing/start-test-program.ts';

interface Answer {
  readonly api_error_message: string;
  readonly api_response: {
    readonly files?: { readonly name: string; readonly size: number }[];
    readonly metadata?: object;
  };
}

const ADMIN = { 'x-user': 'admin', 'x-apikey': 'devkey:admin' };
const ACCESS = unrestricted('the test counts what is left behind');
const LIMIT = 100_000;

describe('uploads', () => {
  let program: TestProgram;
  before(async () => {
    program = await startTestProgram({
      settings: {
        'analysis.analyzers.enabled': 'none',
        'analysis.submission.max_file_size': LIMIT,
        'http.max_body_size': 50_000,
        'analysis.ui.default_quotas.concurrent_submissions': 2,
      },
    });
  });
  after(() => program.close());

  const send = async (body: FormData | string, headers: Record<string, string> = {}) => {
    const url = `${program.urls.analysis}/api/v4/submit/`;
    const answer = await fetch(url, { method: 'POST', headers: { ...ADMIN, ...headers }, body });
    const { api_error_message: message, api_response: response } = (await answer.json()) as Answer;
    return { status: answer.status, message, response };
  };
  const sendJson = (value: unknown) =>
    send(typeof value === 'string' ? value : JSON.stringify(value), { 'content-type': 'application/json' });
  const formOf = (parts: readonly (readonly [name: string, value: string | Uint8Array, filename?: string])[]) => {
    const form = new FormData();
    for (const [name, value, filename] of parts) {
      if (typeof value === 'string') form.append(name, value);
      else form.append(name, new Blob([new Uint8Array(value)]), filename);
    }
    return form;
  };
  const left = async () => {
    const { datastore, files } = program.foundation;
    const count = (definition: typeof submissionDocument | typeof fileDocument) =>
      datastore.collection<object>(definition as never).count({ query: MATCH_ALL }, ACCESS);
    let bytes = 0;
    for await (const batch of files.list()) bytes += batch.length;
    return [await count(submissionDocument), await count(fileDocument), bytes];
  };

  it('are refused in every broken form, and leave nothing behind', async () => {
    const small = new Uint8Array([1, 2, 3]);
    const before = await left();
    const cases: readonly (readonly [string, () => ReturnType<typeof send>, number])[] = [
      ['no bin', () => send(formOf([['json', '{}']])), 400],
      ['bin that is a field', () => send(formOf([['bin', 'text']])), 400],
      [
        'two files',
        () =>
          send(
            formOf([
              ['bin', small, 'a'],
              ['bin', small, 'b'],
            ]),
          ),
        400,
      ],
      [
        'broken JSON after the file',
        () =>
          send(
            formOf([
              ['bin', small, 'a'],
              ['json', '{broken'],
            ]),
          ),
        400,
      ],
      [
        'wrong parameters after the file',
        () =>
          send(
            formOf([
              ['bin', small, 'a'],
              ['json', '{"params":{"ttl":"x"}}'],
            ]),
          ),
        400,
      ],
      ['empty file', () => send(formOf([['bin', new Uint8Array(), 'a']])), 400],
      ['too large', () => send(formOf([['bin', new Uint8Array(LIMIT + 1), 'a']])), 413],
      [
        'too large before the JSON',
        () =>
          send(
            formOf([
              ['bin', new Uint8Array(LIMIT + 1), 'a'],
              ['json', '{}'],
            ]),
          ),
        413,
      ],
      [
        'cut off',
        () =>
          send('--x\r\ncontent-disposition: form-data; name="bin"; filename="a"\r\n\r\nabc', {
            'content-type': 'multipart/form-data; boundary=x',
          }),
        400,
      ],
      ['long name', () => send(formOf([['bin', small, 'a'.repeat(10_000)]])), 400],
      ['name with NUL', () => sendJson({ plaintext: 'x', name: 'a\0b' }), 400],
      [
        'large JSON beside the file',
        () =>
          send(
            formOf([
              ['json', `{"name":"${'x'.repeat(60_000)}"}`],
              ['bin', small, 'a'],
            ]),
          ),
        413,
      ],
      ['large text', () => sendJson({ plaintext: 'x'.repeat(LIMIT + 1) }), 413],
      ['deep JSON', () => sendJson(`{"plaintext":"x","metadata":${'{"a":'.repeat(150)}1${'}'.repeat(150)}}`), 400],
      ['__proto__', () => sendJson('{"plaintext":"x","params":{"__proto__":{"priority":1}}}'), 400],
      [
        'many names',
        () =>
          sendJson({
            plaintext: 'x',
            metadata: Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [index, 1])),
          }),
        413,
      ],
      [
        'too many names',
        () =>
          sendJson({
            plaintext: 'x',
            metadata: Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [index, 1])),
          }),
        400,
      ],
      ['address without a host', () => sendJson({ url: 'javascript:alert(1)' }), 400],
      ['half a surrogate pair', () => sendJson('{"plaintext":"\\ud800"}'), 400],
      ['unknown hash', () => sendJson({ md5: 'f'.repeat(32) }), 404],
      ['hash of a wrong length', () => sendJson({ sha256: 'abc' }), 404],
    ];
    for (const [name, work, status] of cases) {
      const answer = await work();
      const expected = name === 'many names' ? [400, 413] : [status];
      assert.ok(expected.includes(answer.status), `${name}: ${answer.status} ${answer.message}`);
    }
    assert.deepEqual(await left(), before);
  });

  it('larger than other bodies are submitted, in any order of parts, also more than once', async () => {
    const bytes = new Uint8Array(90_000).fill(65);
    for (const parts of [
      [
        ['bin', bytes, 'C:\\x\\a.bin'],
        ['json', '{"metadata":{"a":1}}'],
      ],
      [
        ['json', '{"metadata":{"a":1}}'],
        ['other', 'x'],
        ['bin', bytes, '/tmp/a.bin'],
      ],
    ] as const) {
      const { status, response, message } = await send(formOf(parts));
      assert.equal(status, 200, message);
      assert.deepEqual(
        response.files?.map(({ name, size }) => [name, size]),
        [['a.bin', 90_000]],
      );
      assert.deepEqual(response.metadata, { a: '1' });
    }
  });

  it('in JSON are as large as other bodies at most, because they are held in memory', async () => {
    const before = await left();
    const refused = await sendJson({ name: 'large', plaintext: 'x'.repeat(50_001) });
    assert.equal(refused.status, 413);
    assert.match(refused.message, /larger than 50000 bytes\. Send the file as the part "bin" of a form\./);
    assert.deepEqual(await left(), before);
    assert.equal((await sendJson({ name: 'fits', plaintext: 'x'.repeat(40_000) })).status, 200);
  });

  it('may be larger where the JSON before them says so', async () => {
    const large = new Uint8Array(LIMIT + 1).fill(66);
    const lifted = await send(
      formOf([
        ['json', '{"params":{"ignore_size":true}}'],
        ['bin', large, 'a'],
      ]),
    );
    assert.equal(lifted.status, 200, lifted.message);
  });

  it('release their quota with every refusal', async () => {
    for (let round = 0; round < 5; round += 1) assert.equal((await sendJson({ plaintext: '' })).status, 400);
    assert.equal((await sendJson({ plaintext: 'after refusals' })).status, 200);
  });
});
