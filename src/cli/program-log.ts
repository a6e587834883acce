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

/** The log of a run, on standard output: one JSON object a line, or text for people. */
export function createProgramLog(level: string, asJson: boolean): pino.Logger {
  const destination = oncePerTurn(pino.destination({ dest: 1, sync: true }));
  return pino({ level: LEVELS[level] ?? 'info', base: null }, asJson ? destination : textForPeople(destination));
}

/**
 * Hands over the lines of one turn of the event loop together: under load the writes cost a fifth of a
 * request. A line waits for the requests that are being answered and for nothing else; those of the last turn are
 * written when the process ends.
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

/**
 * `14:03:22 INFO  ready addresses={"alerts":"http://127.0.0.1:5000"}`, with the stack of an error
 * below.
 */
function textForPeople(destination: DestinationStream): DestinationStream {
  return {
    write(line) {
      const { level, time, msg, err, ...rest } = JSON.parse(line) as Record<string, unknown> & LogLine;
      const name = (pino.levels.labels[level] ?? String(level)).toUpperCase().padEnd(5);
      const details = Object.entries(rest).map(([key, value]) => ` ${key}=${JSON.stringify(value)}`);
      const stack = err?.stack === undefined ? '' : `\n${err.stack}`;
      destination.write(
        `${new Date(time).toISOString().slice(11, 19)} ${name} ${msg ?? ''}${details.join('')}${stack}\n`,
      );
    },
  };
}

interface LogLine {
  readonly level: number;
  readonly time: number;
  readonly msg?: string;
  readonly err?: { readonly stack?: string };
}
