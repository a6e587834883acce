import { createReadStream, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { type Command, type CommandContext, loadCommandConfig, WrongUse } from './command.ts';
import { clearLine, loadBars } from './progress-display.ts';
import { count, rateSince } from './text-format.ts';

export const importCommand: Command = {
  name: 'import',
  usage: 'FILE|-',
  summary: 'Store alerts from a file with one JSON object a line, or from standard input.',
  flags: {
    as: { value: 'required', description: 'user who sends them; default: admin' },
    'ignore-extra-values': {
      value: 'none',
      description: 'leave out fields that do not exist instead of refusing the alert',
    },
  },
  async run(context, flags, file) {
    const { stream, size } = openInput(context, file);
    const config = loadCommandConfig(context);
    const logger = context.createLogger('ERROR', config.logging.log_as_json);
    const { openServices } = await import('../program.ts');
    const services = await openServices(config, { version: context.version, logger });
    try {
      const actor = await services.foundation.actorOf(flags.as?.[0] ?? 'admin');
      const progress = await showProgress(context, size, stream);
      const started = performance.now();
      const lines = createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY });
      const { stored, refused } = await services.alerts.hits.importLines(actor, lines, {
        unknown: flags['ignore-extra-values'] === undefined ? 'refuse' : 'warn',
        onRefused: (line, reason) => {
          progress.clear();
          context.printError(`line ${line}: ${reason}`);
        },
        onProgress: (done) => progress.update(done.stored),
      });
      progress.stop();
      const seconds = (performance.now() - started) / 1000;
      context.print(
        `${count(stored)} stored, ${count(refused)} refused, ${seconds.toFixed(1)} s, ${count(rateSince(started, stored))}/s`,
      );
      return refused > 0 ? 1 : 0;
    } finally {
      await services.close();
    }
  },
};

function openInput(context: CommandContext, file: string): { stream: NodeJS.ReadableStream; size: number | undefined } {
  if (file === '-') return { stream: context.input, size: undefined };
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isFile() !== true) throw new WrongUse(`${file} is not a file.`);
  return { stream: createReadStream(file), size: found.size };
}

/** Shows a bar by bytes read on a terminal, else nothing; `clear` makes room for a line of text. */
async function showProgress({ errorStream }: CommandContext, size: number | undefined, stream: NodeJS.ReadableStream) {
  if (!errorStream.isTTY || size === undefined) return { update() {}, clear() {}, stop() {} };
  const bar = (await loadBars(errorStream))('{bar} {percentage} %, {stored} stored, {rate}/s, {eta_formatted} left');
  const started = performance.now();
  bar.start(size, 0, { stored: '0', rate: '0' });
  return {
    update(stored: number) {
      const { bytesRead } = stream as { bytesRead?: number };
      bar.update(Math.min(size, bytesRead ?? 0), { stored: count(stored), rate: count(rateSince(started, stored)) });
    },
    clear: () => clearLine(errorStream),
    stop: () => bar.stop(),
  };
}
