import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, it, type TestContext } from 'node:test';
import { pino } from 'pino';
import { openPlayedAdapter, playOf } from '../../testing/enrichment/played-adapter.ts';
import { type Script, startScriptedServer } from '../../testing/servers/scripted-server.ts';
import { runCommandLine } from '../run-command-line.ts';

/** A key that is written in several forms. */
const KEY = 'a+b/c=secret"key';

describe('triad sources record', () => {
  it('saves requests and answers without the key in any form', async (context) => {
    const { triad, folder } = await open(context, 'shodan', ({ url }) => ({
      headers: { 'set-cookie': `session=${KEY}`, 'x-account': KEY },
      body: { ports: [22], echo: `you sent ${KEY}`, url, nested: [encodeURIComponent(KEY)] },
    }));
    const out = join(folder, 'answer.json');
    const { status, told, printed } = await triad(['sources', 'record', 'shodan', '192.0.2.1', '--out', out]);
    assert.deepEqual([status, told, printed], [0, '', '']);
    const text = readFileSync(out, 'utf8');
    assert.doesNotMatch(text, /secret|a%2Bb|session|account/);
    const { type, value, exchanges } = JSON.parse(text);
    assert.deepEqual([type, value, exchanges.length], ['ipv4', '192.0.2.1', 1]);
    assert.deepEqual(exchanges[0].request, { method: 'GET', path: '/shodan/host/192.0.2.1?minify=true&key=<key>' });
    assert.equal(exchanges[0].answer.body.echo, 'you sent <key>');
    const again = await triad(['sources', 'record', 'shodan', '192.0.2.1', '--out', out]);
    assert.equal(again.status, 2);
    assert.match(again.told, /is there already\. Name a new file with --out\./);
  });

  it('writes what tests of adapters play, also with several servers', async (context) => {
    let registry = '';
    await using server = await startScriptedServer(() => ({
      body: { objectClassName: 'domain', status: ['active'], nameservers: [] },
    }));
    registry = `${server.url}/deep/`;
    const { triad } = await open(context, 'rdap', () => ({ body: { services: [[['org'], [registry]]] } }));
    const { printed } = await triad(['sources', 'record', 'rdap', 'www.example.org']);
    assert.doesNotMatch(printed, new RegExp(server.url));
    const { exchanges } = JSON.parse(printed);
    const below = exchanges.map((one: { request: object & { path: string } }) => ({
      ...one,
      request: { ...one.request, path: `/base${one.request.path}` },
    }));
    const differences: string[] = [];
    let url = '';
    const played = await openPlayedAdapter(
      context,
      'rdap',
      playOf(below, differences, () => `${url}/base`),
    );
    ({ url } = played.server);
    const result = await played.lookup('domain', 'www.example.org');
    assert.deepEqual([result.items.length, result.error, differences], [1, undefined, []]);
  });

  it('keeps the answer of a vendor that refuses, and says what it means', async (context) => {
    const { triad } = await open(context, 'virustotal', () => ({ status: 401, body: '<html>no</html>' }));
    const { status, told, printed } = await triad(['sources', 'record', 'virustotal', 'example.org']);
    assert.equal(status, 1);
    assert.match(told, /^ERROR: Virustotal did not accept the API key of virustotal\./);
    assert.equal(JSON.parse(printed).exchanges[0].answer.body, '<html>no</html>');
  });

  it('says what is missing before it asks', async (context) => {
    const { triad, server } = await open(context, 'virustotal', () => ({}));
    const wrong: readonly (readonly [readonly string[], number, RegExp])[] = [
      [['other', 'example.org'], 2, /^enrichment\.adapters has no source "other"\. There are: virustotal\.$/m],
      [
        ['virustotal', 'a b'],
        1,
        /^"a b" is not accepted by virustotal: it has to be a value of one of its types: md5, /,
      ],
      [['virustotal', 'a.example', '--type', 'md5'], 1, /it has to be a value of type md5\.$/],
      [['virustotal'], 2, /^Use: triad sources record NAME VALUE\./],
    ];
    for (const [words, status, message] of wrong) {
      const result = await triad(['sources', 'record', ...words]);
      assert.match(result.told, message);
      assert.equal(result.status, status);
    }
    assert.equal(server.requests.length, 0);
  });
});

async function open(context: TestContext, name: string, script: Script) {
  const folder = mkdtempSync(join(tmpdir(), 'triad-record-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const server = await startScriptedServer(script);
  context.after(async () => server[Symbol.asyncDispose]());
  writeFileSync(join(folder, 'config.yml'), `enrichment:\n  adapters:\n    ${name}: { url: '${server.url}/api/v3' }\n`);
  const environment = {
    SVC_CONF_FOLDER: folder,
    SVC_DATA_FOLDER: join(folder, 'data'),
    SVC_ENRICHMENT_ADAPTER_KEYS: JSON.stringify({ [name]: KEY }),
  };
  return {
    folder,
    server,
    async triad(words: readonly string[]) {
      const [printed, told]: [string[], string[]] = [[], []];
      const status = await runCommandLine(
        {
          environment,
          version: '0.0.0-test',
          print: (line) => printed.push(line),
          printError: (line) => told.push(line),
          input: Readable.from([]),
          interactive: false,
          errorStream: process.stderr,
          terminal: false,
          createLogger: () => pino({ level: 'silent' }),
          ending: new AbortController().signal,
        },
        words,
      );
      return { status, printed: printed.join('\n'), told: told.join('\n') };
    },
  };
}
