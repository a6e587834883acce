import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestProgram, type TestProgram } from '../../testing/start-test-program.ts';

const UNSAFE = '9007199254740993';
const MAX = '9223372036854775807';
const MIN = '-9223372036854775808';
/** The text of a client: `JSON.stringify` of a test could not write these numbers. */
const ALERT = `{"howler.analytic": "Exact", "source.bytes": ${UNSAFE}, "destination": {"bytes": ${MAX}},
  "file.size": ${MIN}, "process.pid": 9007199254740991, "howler.data": [{"raw": ${MAX}}], "labels.generic": ${UNSAFE}}`;
const STORED = [
  `"source":{"bytes":${UNSAFE}`,
  `"destination":{"bytes":${MAX}`,
  `"size":${MIN}`,
  '"pid":9007199254740991',
];

let program: TestProgram;
before(async () => {
  program = await startTestProgram();
});
after(() => program.close());

/** Sends raw JSON text and returns the text of the answer. */
async function send(method: string, path: string, body?: string): Promise<string> {
  const { status, text } = await program.request(path, {
    method,
    basic: 'admin:devkey:admin',
    ...(body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } }),
  });
  assert.ok(status < 300, `${method} ${path}: ${status} ${text}`);
  return text;
}

async function refusal(method: string, path: string, body: string): Promise<string> {
  const { status, text } = await program.request(path, {
    method,
    basic: 'admin:devkey:admin',
    body,
    headers: { 'content-type': 'application/json' },
  });
  assert.equal(status, 400, text);
  return text;
}

async function createHit(): Promise<string> {
  const created = await send('POST', '/api/v1/hit?refresh=true', `[${ALERT}]`);
  assertHolds(created, STORED);
  return JSON.parse(created).api_response.valid[0].howler.id;
}

function assertHolds(text: string, parts: readonly string[]): void {
  for (const part of parts) assert.ok(text.includes(part), `${part} is not in ${text}`);
}

describe('integers beyond 2^53 over HTTP', () => {
  it('are answered as they were sent, by identifier and by searches', async () => {
    const id = await createHit();
    assertHolds(await send('GET', `/api/v1/hit/${id}`), [
      ...STORED,
      `"generic":"${UNSAFE}"`,
      `"data":["{\\"raw\\": ${MAX}}"]`,
    ]);
    const query = encodeURIComponent(
      `howler.id:${id} AND source.bytes:${UNSAFE} AND destination.bytes:[${MAX} TO ${MAX}]`,
    );
    assertHolds(await send('GET', `/api/v1/search/hit?query=${query}`), STORED);
    assertHolds(await send('GET', `/api/v2/search/hit?query=${query}`), STORED);
    assertHolds(await send('GET', `/api/v1/search/hit?query=${query}&fl=source.bytes,file.size`), [UNSAFE, MIN]);
    assertHolds(await send('GET', `/api/v1/search/hit?query=${query}&deep_paging_id=*`), STORED);
    const other = encodeURIComponent(`howler.id:${id} AND source.bytes:9007199254740992`);
    assert.equal(JSON.parse(await send('GET', `/api/v1/search/hit?query=${other}`)).api_response.total, 0);
    const filter = `query=${encodeURIComponent(`howler.id:${id}`)}`;
    assertHolds(await send('GET', `/api/v1/search/facet/hit/source.bytes?${filter}`), [`{"${UNSAFE}":1}`]);
    assertHolds(await send('GET', `/api/v1/search/grouped/hit/source.bytes?${filter}`), [`"value":${UNSAFE}`]);
    assertHolds(await send('GET', `/api/v1/search/stats/hit/file.size?${filter}`), [`"max":${MIN},"min":${MIN}`]);
    assertHolds(await send('GET', `/api/v1/search/stats/hit/destination.bytes?${filter}`), [`"max":${MAX}`]);
  });

  it('stay as they are when something else is overwritten or updated', async () => {
    const id = await createHit();
    const { headers } = await program.request(`/api/v1/hit/${id}`, { basic: 'admin:devkey:admin' });
    assert.ok(headers.get('etag'));
    assertHolds(await send('PUT', `/api/v1/hit/${id}/overwrite`, '{"message": "m"}'), STORED);
    assertHolds(await send('PATCH', `/api/v2/ingest/hit/${id}/overwrite`, '{"message": "n"}'), STORED);
    assertHolds(await send('PUT', `/api/v1/hit/${id}/update`, '[["SET", "message", "o"]]'), STORED);
    await send('PUT', '/api/v1/hit/update', `{"query": "howler.id:${id}", "operations": [["SET", "message", "p"]]}`);
    await send('PUT', `/api/v1/hit/${id}/labels/generic`, '{"value": ["x"]}');
    const after = await send('GET', `/api/v1/hit/${id}`);
    assertHolds(after, [...STORED, '"message":"p"']);
  });

  it('are set, counted, raised and lowered exactly', async () => {
    const id = await createHit();
    const bytes = async () => /"source":\{"bytes":(-?\d+)/.exec(await send('GET', `/api/v1/hit/${id}`))?.[1];
    for (const [operation, expected] of [
      ['["INC", "source.bytes", 1]', '9007199254740994'],
      ['["DEC", "source.bytes", 3]', '9007199254740991'],
      ['["MAX", "source.bytes", 9007199254740993]', UNSAFE],
      ['["MIN", "source.bytes", 9007199254740994]', UNSAFE],
      [`["SET", "source.bytes", ${MAX}]`, MAX],
      [`["DEC", "source.bytes", ${MAX}]`, '0'],
      [`["MIN", "source.bytes", ${MIN}]`, MIN],
    ] as const) {
      await send('PUT', `/api/v1/hit/${id}/update`, `[${operation}]`);
      assert.equal(await bytes(), expected, operation);
    }
    assert.match(await refusal('PUT', `/api/v1/hit/${id}/update`, '[["DEC", "source.bytes", 1]]'), /source\.bytes/);
    assert.equal(await bytes(), MIN);
    await send('PUT', `/api/v1/hit/${id}/overwrite`, `{"source.bytes": ${UNSAFE}}`);
    await send(
      'PUT',
      '/api/v1/hit/update',
      `{"query": "source.bytes:${UNSAFE} AND howler.id:${id}", "operations": [["INC", "source.bytes", 2]]}`,
    );
    assert.equal(await bytes(), '9007199254740995');
    const increment = (by: string) =>
      `{"query": "howler.id:${id}", "operations": [["INC", "source.bytes", ${by}], ["SET", "message", "m"]]}`;
    await send('PUT', '/api/v1/hit/update', increment('9214364837600034812'));
    assert.equal(await bytes(), MAX);
    assertHolds(await refusal('PUT', '/api/v1/hit/update', increment('1')), ['source.bytes', MIN, MAX]);
    assert.equal(await bytes(), MAX);
    await send('PUT', '/api/v1/hit/update', increment('-1'));
    assert.equal(await bytes(), '9223372036854775806');
  });

  it('arrive by the other routes for alerts and events', async () => {
    const [id] = JSON.parse(await send('POST', '/api/v2/ingest/hit?refresh=true', `[${ALERT}]`)).api_response;
    assertHolds(await send('GET', `/api/v1/hit/${id}`), STORED);
    const [event] = JSON.parse(
      await send('POST', '/api/v2/ingest/event?refresh=true', `[{"event.kind": "event", "source.bytes": ${MAX}}]`),
    ).api_response;
    assertHolds(await send('GET', `/api/v2/search/event?query=event.id:${event}`), [`"bytes":${MAX}`]);
    const tool = `{"map": {"b": ["source.bytes"], "a": ["howler.detection"]}, "hits": [{"b": ${UNSAFE}, "a": "d"}]}`;
    const made = JSON.parse(await send('POST', '/api/v1/tools/tester/hits', tool)).api_response[0];
    assertHolds(await send('GET', `/api/v1/hit/${made.id}`), [`"bytes":${UNSAFE}`]);
  });

  it('are rejected beyond 64 bits, naming the field and its range, and change nothing', async () => {
    const id = await createHit();
    const before = await send('GET', `/api/v1/hit/${id}`);
    for (const value of ['9223372036854775808', '-9223372036854775809', '1e30', '9'.repeat(5000)]) {
      const text = await refusal('POST', '/api/v1/hit', `[{"howler.analytic": "Exact", "source.bytes": ${value}}]`);
      assertHolds(text, ['source.bytes', MIN, MAX]);
      assertHolds(await refusal('PUT', `/api/v1/hit/${id}/overwrite`, `{"source.bytes": ${value}}`), ['source.bytes']);
      assertHolds(await refusal('PUT', `/api/v1/hit/${id}/update`, `[["SET", "source.bytes", ${value}]]`), [
        'source.bytes',
      ]);
    }
    assert.equal(await send('GET', `/api/v1/hit/${id}`), before);
  });

  it('are refused where no number of that size makes sense, and never break a request', async () => {
    for (const [path, name] of [
      ['/api/v1/search/hit', 'rows'],
      ['/api/v1/search/hit', 'offset'],
      ['/api/v1/search/hit', 'timeout'],
      ['/api/v1/search/grouped/hit/howler.analytic', 'limit'],
      ['/api/v1/search/histogram/hit/source.bytes', 'start'],
      ['/api/v1/search/histogram/hit/source.bytes', 'gap'],
    ]) {
      assert.match(await refusal('POST', `${path}`, `{"query": "*:*", "${name}": ${UNSAFE}}`), new RegExp(`${name}`));
    }
  });
});
