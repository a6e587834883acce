import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, describe, it } from 'node:test';
import { pino } from 'pino';
import { textOfLine } from './program-log.ts';
import { runCommandLine } from './run-command-line.ts';

const folder = mkdtempSync(join(tmpdir(), 'triad-cli-'));
after(() => rmSync(folder, { recursive: true, force: true }));

describe('triad', () => {
  it('tells its version and its help with status 0', async () => {
    assert.deepEqual(await triad(['--version']), { status: 0, printed: '1.2.3', told: '' });
    const help = await triad(['--help']);
    assert.equal(help.status, 0);
    assert.match(help.printed, /triad import FILE\|-/);
  });

  it('ends with status 2 on wrong use and wrong settings, and says what is allowed', async () => {
    for (const words of [
      ['--nope'],
      ['nope'],
      ['user', 'create'],
      ['serve', '--demo=nope'],
      ['import'],
      ['import', 'no-such-file'],
    ]) {
      const { status, told } = await triad(words);
      assert.equal(status, 2, words.join(' '));
      assert.match(told, /See triad --help\.$/);
    }
    const setting = await triad(['user', 'list'], { SVC_ALERTS_PORT: 'many' });
    assert.equal(setting.status, 2);
    assert.match(setting.told, /SVC_ALERTS_PORT/);
  });

  it('ends with status 1 and a sentence when the data folder cannot be made', async () => {
    const file = join(folder, 'a-file');
    writeFileSync(file, '');
    for (const command of [
      ['user', 'list'],
      ['migrate', '--all'],
      ['lifecycle', 'list'],
    ]) {
      const { status, told } = await triad(command, { SVC_DATA_FOLDER: join(file, 'data') });
      assert.equal(status, 1, command.join(' '));
      assert.match(told, /^(?:ERROR: )?The data folder .*a-file\/data cannot be created \(ENOTDIR.*SVC_DATA_FOLDER/);
      assert.doesNotMatch(told, /^\s+at /m, 'no stack trace');
    }
  });

  it('refuses to show the demo to the network', async () => {
    const { status, told } = await triad(['--demo'], { SVC_HOST: '0.0.0.0' });
    assert.equal(status, 2);
    assert.match(told, /publicly known.*loopback/);
  });
});

describe('the log of people', () => {
  const text = (entry: object) => textOfLine(JSON.stringify({ level: 30, time: 0, ...entry }), process.stdout);

  it('is one line of text for each entry, and the stack of an error', () => {
    assert.match(
      text({ msg: 'ready', addresses: { alerts: 'http://a:1' } }),
      /^\d\d:\d\d:\d\d INFO {2}ready addresses=alerts:http:\/\/a:1\n$/,
    );
    const request = {
      msg: 'request',
      method: 'GET',
      path: '/x',
      status: 200,
      milliseconds: 3.1,
      user: 'ana',
      address: '::1',
    };
    assert.match(text(request), / INFO {2}GET \/x 200 3\.1 ms ana\n$/);
    assert.match(text({ ...request, status: 404, error: 'hit_missing' }), /404 3\.1 ms ana .*error=hit_missing/);
    assert.match(
      text({ level: 50, msg: 'failed', err: { stack: 'Error: x\n    at y' } }),
      /ERROR failed\nError: x\n {4}at y\n$/,
    );
  });

  it('does not let texts of callers steer the terminal', () => {
    assert.doesNotMatch(
      text({ msg: 'a\u001b[2J', path: '\u001b]0;x\u0007', err: { stack: '\u009b1m' } }),
      /[^\P{Cc}\n]/u,
    );
  });
});

describe('triad user', () => {
  it('makes, lists, disables and gives passwords', async () => {
    const made = await triad([
      'user',
      'create',
      'anna',
      '--name=Anna B',
      '--email',
      'anna@example.com',
      '--type=admin,user',
      '--random',
    ]);
    assert.equal(made.status, 0, made.told);
    assert.match(made.printed, /^anna was made\. Its password, shown once: \S{20,}$/);
    const given = await triad(
      ['user', 'set-password', 'anna', '--password-stdin'],
      {},
      'a long enough password\nrest\n',
    );
    assert.equal(given.status, 0, given.told);
    assert.equal((await triad(['user', 'disable', 'anna'])).status, 0);
    const listed = await triad(['user', 'list']);
    assert.match(
      listed.printed,
      /^USER +STATE +TYPES +NAME +E-MAIL\nanna +disabled +admin,user +Anna B +anna@example\.com$/,
    );
  });

  it('ends with status 1 and a sentence when that cannot be', async () => {
    const weak = await triad(['user', 'create', 'otto', '--password-stdin'], {}, 'short\n');
    assert.equal(weak.status, 1);
    assert.notEqual(weak.told, '');
    assert.deepEqual(await triad(['user', 'disable', 'nobody']), {
      status: 1,
      printed: '',
      told: 'User nobody does not exist',
    });
  });

  it('does not ask where no one can answer', async () => {
    const { status, told } = await triad(['user', 'create', 'otto']);
    assert.equal(status, 2);
    assert.match(told, /--random or --password-stdin/);
  });
});

describe('triad import', () => {
  const good = (index: number) => JSON.stringify({ 'howler.analytic': 'Import Test', message: `alert ${index}` });

  it('stores what it can, tells of every line that it cannot, and ends with status 1 then', async () => {
    const file = join(folder, 'alerts.ndjson');
    const lines = Array.from({ length: 600 }, (_, index) => good(index));
    lines[1] = '{"howler.analytic": 1,';
    lines[2] = '{"message": "no analytic"}';
    lines[3] = '';
    lines[550] = '{"howler.analytic": "x", "message": "\\u0000"}';
    writeFileSync(file, `${lines.join('\r\n')}\n`);
    const { status, printed, told } = await triad(['import', file, '--as=anna']);
    assert.equal(status, 1);
    assert.match(printed, /^596 stored, 3 refused, [\d.]+ s, [\d,]+\/s$/);
    assert.match(told, /^line 2: not JSON: .*\nline 3: .*howler\.analytic.*\nline 551: .*NUL/);
  });

  it('reads standard input and ends with status 0 when everything is stored', async () => {
    // JSON.parse alone would round this integer beyond 64 bits, which are refused.
    const large = '{"howler.analytic": "Import Test", "source.bytes": 9223372036854775807}';
    const lines = [good(1), good(2), large].join('\n');
    const { status, printed, told } = await triad(['import', '-', '--as', 'anna'], {}, lines);
    assert.equal(status, 0, told);
    assert.match(printed, /^3 stored, 0 refused/);
  });

  it('acts as a user who exists', async () => {
    assert.deepEqual(await triad(['import', '-', '--as=nobody'], {}, good(1)), {
      status: 1,
      printed: '',
      told: 'User nobody does not exist',
    });
  });
});

describe('triad lifecycle and the settings of lifecycles', () => {
  it('takes a collection that there is not for wrong use, on the command line and in the settings', async () => {
    for (const [words, environment] of [
      [['lifecycle', 'rollover', 'hits'], {}],
      [['serve'], { SVC_DATASTORE_ILM_ENABLED: 'true', SVC_DATASTORE_ILM_INDICES_HITS_WARM: '30d' }],
    ] as const) {
      const { status, told } = await triad(words, { ...environment, SVC_ALERTS_PORT: '0' });
      assert.equal(status, 2, told);
      assert.match(told, /there is no collection "?hits"?/i);
    }
  });
});

async function triad(words: readonly string[], environment: Record<string, string> = {}, input = '') {
  const printed: string[] = [];
  const told: string[] = [];
  const status = await runCommandLine(
    {
      environment: { SVC_DATA_FOLDER: join(folder, 'data'), SVC_CONF_FOLDER: import.meta.dirname, ...environment },
      version: '1.2.3',
      print: (line) => printed.push(line),
      printError: (line) => told.push(line),
      input: Readable.from([input]),
      interactive: false,
      errorStream: { isTTY: false } as NodeJS.WriteStream,
      terminal: false,
      createLogger: () => pino({ level: 'silent' }),
      ending: AbortSignal.abort(),
    },
    words,
  );
  return { status, printed: printed.join('\n'), told: told.join('\n') };
}
