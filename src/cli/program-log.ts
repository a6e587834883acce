import { styleText } from 'node:util';
import { type DestinationStream, pino } from 'pino';

/** Names of config.yml (those of the public system) and what pino calls them. */
const LEVELS: Readonly<Record<string, pino.LevelWithSilent>> = {
  TRACE: 'trace',
  DEBUG: 'debug',
  INFO: 'info',
  WARNING: 'warn',
  ERROR: 'error',
  CRITICAL: 'fatal',
  DISABLED: 'silent',
};

/** Creates the log on standard output: JSON lines, or text; `asJson` null: text on a terminal. */
export function createProgramLog(level: string, asJson: boolean | null): pino.Logger {
  const destination = oncePerTurn(pino.destination({ dest: 1, sync: true }));
  const json = asJson ?? process.stdout.isTTY !== true;
  const lines = json ? destination : { write: (line: string) => destination.write(textOfLine(line, process.stdout)) };
  return pino({ level: LEVELS[level] ?? 'info', base: null }, lines);
}

/**
 * Writes the lines of one turn of the event loop together, which saves a fifth of a request.
 * Those of the last turn are written when the process ends.
 */
function oncePerTurn(destination: DestinationStream): DestinationStream {
  let waiting = '';
  const hand = (): void => {
    if (waiting === '') return;
    const lines = waiting;
    waiting = '';
    destination.write(lines);
  };
  process.once('exit', hand);
  return {
    write(line) {
      if (waiting === '') setImmediate(hand);
      waiting += line;
    },
  };
}

const COLOURS: Readonly<Record<string, 'green' | 'yellow' | 'red' | 'dim'>> = {
  trace: 'dim',
  debug: 'dim',
  info: 'green',
  warn: 'yellow',
  error: 'red',
  fatal: 'red',
};

/** Formats a line for people: `14:03:25 INFO  GET /api/v1/hit/1 200 3.1 ms admin`, with a stack below. */
export function textOfLine(line: string, stream: NodeJS.WriteStream): string {
  const { level, time, msg = '', err, ...rest } = JSON.parse(line) as Record<string, unknown> & LogLine;
  const label = pino.levels.labels[level] ?? String(level);
  const name = styleText(COLOURS[label] ?? 'dim', label.toUpperCase().padEnd(5), { stream });
  const clock = styleText('dim', new Date(time).toLocaleTimeString('sv'), { stream });
  const { words, details } = msg === 'request' ? requestWords(rest) : { words: msg, details: rest };
  const pairs = Object.entries(details).map(([key, value]) => `${key}=${shownValue(value)}`);
  const stack = err?.stack === undefined ? '' : `\n${err.stack}`;
  const end = pairs.length === 0 ? '' : ` ${styleText('dim', withoutControls(pairs.join(' ')), { stream })}`;
  return `${clock} ${name} ${withoutControls(words)}${end}${withoutControls(stack)}\n`;
}

/** The parts of a request line that people read; the rest follows when it was refused. */
function requestWords({ method, path, status, milliseconds, user, ...rest }: Record<string, unknown>) {
  const words = [method, path, status, milliseconds, 'ms', user].filter((word) => word !== undefined).join(' ');
  return { words, details: Number(status) < 400 ? {} : rest };
}

function shownValue(value: unknown): string {
  if (typeof value === 'string' && /^[^\s"=]+$/.test(value)) return value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${key}:${shownValue(member)}`);
  return members.join(',') || '{}';
}

/** Texts of callers must not steer the terminal. */
function withoutControls(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n]/gu, '\u{fffd}');
}

interface LogLine {
  readonly level: number;
  readonly time: number;
  readonly msg?: string;
  readonly err?: { readonly stack?: string };
}
