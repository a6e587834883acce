import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { it } from 'node:test';
import { pino } from 'pino';
import { runCommandLine } from './run-command-line.ts';

it('triad services lists the services of an installation', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'triad-services-'));
  context.after(() => rm(folder, { recursive: true, force: true }));
  const printed: string[] = [];
  const status = await runCommandLine(
    {
      environment: { SVC_CONF_FOLDER: import.meta.dirname, SVC_DATA_FOLDER: folder },
      version: '1.2.3',
      print: (line) => printed.push(line),
      printError: (line) => assert.fail(line),
      input: Readable.from(['']),
      interactive: false,
      errorStream: { isTTY: false } as NodeJS.WriteStream,
      terminal: false,
      createLogger: () => pino({ level: 'silent' }),
      ending: new AbortController().signal,
    },
    ['services'],
  );
  assert.equal(status, 0);
  assert.match(printed[0] ?? '', /^SERVICE +VERSION +STATE +ORIGIN +STAGE +CATEGORY +WAITING +OLDEST +ASKED$/);
});
