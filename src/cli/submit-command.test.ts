import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { pino } from 'pino';
import { runCommandLine } from './run-command-line.ts';

let folder: string;
let server: Awaited<ReturnType<typeof startAnalysis>>;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'triad-submit-'));
  await mkdir(join(folder, 'in', 'deep'), { recursive: true });
  await writeFile(join(folder, 'in', 'a.txt'), 'harmless');
  await writeFile(join(folder, 'in', 'deep', 'b.txt'), 'EVIL');
  await symlink('/etc/passwd', join(folder, 'in', 'link'));
  server = await startAnalysis();
});
after(async () => {
  server.close();
  await rm(folder, { recursive: true, force: true });
});

describe('triad submit', () => {
  it('prints a line for each file of files and folders', async () => {
    const { status, printed } = await triad(['submit', join(folder, 'in'), join(folder, 'in', 'a.txt')]);
    assert.equal(status, 0);
    const lines = printed.split('\n').sort();
    const [a, b] = [join(folder, 'in', 'a.txt'), join(folder, 'in', 'deep', 'b.txt')];
    assert.deepEqual(lines, [`0\t1\t0\tsid-a.txt\t${a}`, `0\t1\t0\tsid-a.txt\t${a}`, `1000\t1\t0\tsid-b.txt\t${b}`]);
    assert.deepEqual(server.credentials, new Set(['admin key:secret']));
  });

  it('ends with status 1 when a file scores higher than --max-score', async () => {
    const [above, equal] = [['--max-score', '999'], ['--max-score=1000']];
    assert.equal((await triad(['submit', join(folder, 'in'), ...above])).status, 1);
    assert.equal((await triad(['submit', join(folder, 'in'), ...equal])).status, 0);
  });

  it('sends parameters and profile, and repeats what the quota refuses for the moment', async () => {
    server.busy = 2;
    const words = ['submit', join(folder, 'in', 'a.txt'), '--params', '{"priority": 7}', '--profile', 'static'];
    assert.equal((await triad([...words, '--user', 'ana'])).status, 0);
    assert.deepEqual(server.last, { name: 'a.txt', params: { priority: 7 }, submission_profile: 'static' });
    assert.ok(server.credentials.has('ana key:secret'));
  });

  it('reports files that are refused and a server that is not there', async () => {
    server.refusal = 'File empty.';
    const refused = await triad(['submit', join(folder, 'in', 'a.txt')]);
    server.refusal = undefined;
    assert.equal(refused.status, 1);
    assert.match(refused.printed, /^failed\t\t\t400: File empty\.\t/);
    const absent = await triad([
      'submit',
      join(folder, 'in', 'a.txt'),
      '--server',
      `http://127.0.0.1:${await closedPort()}`,
    ]);
    assert.equal(absent.status, 1);
    assert.match(absent.printed, /cannot be reached \(ECONNREFUSED\)/);
  });

  it('says what is wrong with the command line', async () => {
    const file = join(folder, 'in', 'a.txt');
    for (const [words, message] of [
      [['submit'], /Use: triad submit FILE\|FOLDER\.\.\.\./],
      [['submit', '/nowhere'], /\/nowhere is neither a file nor a folder/],
      [['submit', file, '--params', '[1]'], /--params needs a JSON object/],
      [['submit', file, '--max-score', 'high'], /--max-score needs a number/],
      [['submit', file, '--server', 'localhost'], /--server needs an address/],
    ] as const) {
      const { status, told } = await triad(words);
      assert.equal(status, 2);
      assert.match(told, message);
    }
    assert.match((await triad(['submit', file], { TRIAD_API_KEY: '' })).told, /TRIAD_API_KEY/);
  });
});

async function triad(words: readonly string[], variables: Record<string, string> = {}) {
  const printed: string[] = [];
  const told: string[] = [];
  const status = await runCommandLine(
    {
      environment: {
        SVC_CONF_FOLDER: import.meta.dirname,
        SVC_DATA_FOLDER: join(folder, 'data'),
        SVC_ANALYSIS_PORT: String(server.port),
        TRIAD_API_KEY: 'key:secret',
        ...variables,
      },
      version: '1.2.3',
      print: (line) => printed.push(line),
      printError: (line) => told.push(line),
      input: Readable.from(['']),
      interactive: false,
      errorStream: { isTTY: false } as NodeJS.WriteStream,
      terminal: false,
      createLogger: () => pino({ level: 'silent' }),
      ending: new AbortController().signal,
    },
    words,
  );
  return { status, printed: printed.join('\n'), told: told.join('\n') };
}

async function closedPort(): Promise<number> {
  const http = createServer();
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  await new Promise((resolve) => http.close(resolve));
  return port;
}

/** Answers as the analysis service does; a file with EVIL scores 1,000. */
async function startAnalysis() {
  const scores = new Map<string, number>();
  const state = {
    busy: 0,
    refusal: undefined as string | undefined,
    last: undefined as unknown,
    credentials: new Set<string>(),
    port: 0,
    close: () => void http.close(),
  };
  const answer = async (request: IncomingMessage): Promise<[number, unknown, string]> => {
    state.credentials.add(`${request.headers['x-user']} ${request.headers['x-apikey']}`);
    const url = request.url ?? '';
    const sid = url.split('/').at(-2) ?? '';
    if (url.includes('is_completed')) return [200, true, ''];
    if (url.includes('/submission/')) return [200, { max_score: scores.get(sid), file_count: 1, error_count: 0 }, ''];
    const body = await buffer(request);
    const type = { headers: { 'content-type': request.headers['content-type'] ?? '' } };
    const form = await new Response(new Uint8Array(body), type).formData();
    const file = form.get('bin') as File;
    state.last = JSON.parse(String(form.get('json')));
    if (state.refusal !== undefined) return [400, {}, state.refusal];
    if (state.busy > 0) {
      state.busy -= 1;
      return [503, '', "You've exceeded your maximum concurrent submission quota of 5"];
    }
    scores.set(`sid-${file.name}`, (await file.text()).includes('EVIL') ? 1000 : 0);
    return [200, { sid: `sid-${file.name}` }, ''];
  };
  const http = createServer(async (request, response) => {
    const [status, api_response, api_error_message] = await answer(request);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ api_response, api_error_message, api_status_code: status }));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  state.port = (http.address() as AddressInfo).port;
  return state;
}
