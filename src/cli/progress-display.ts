import type { SingleBar } from 'cli-progress';
import type { CommandContext } from './command.ts';
import { count, rateSince } from './text-format.ts';

/** Milliseconds between two lines of progress where there is no terminal. */
const LINE_INTERVAL = 5000;

/** Progress of long work. `label`: what the documents belong to. */
interface ProgressDisplay {
  show(label: string, done: number, total: number): void;
  /** Makes room for a line of text. */
  clear(): void;
  end(): void;
}

/**
 * Shows a bar on a terminal, plain lines elsewhere, with rate and remaining time.
 * @param unit what is counted
 */
export async function createProgressDisplay(context: CommandContext, unit = 'documents'): Promise<ProgressDisplay> {
  return context.errorStream.isTTY ? barProgress(context, unit) : lineProgress(context, unit);
}

async function barProgress({ errorStream }: CommandContext, unit: string): Promise<ProgressDisplay> {
  const createBar = await loadBars(errorStream);
  let bar: ReturnType<typeof createBar> | undefined;
  let started = 0;
  const end = () => {
    bar?.stop();
    bar = undefined;
  };
  return {
    show(label, done, total) {
      if (total === 0) return;
      // A migration may go through several collections, each with a total of its own.
      if (bar === undefined || bar.getTotal() !== total) {
        end();
        bar = createBar(`{label} {bar} {percentage} %, {done} of {all} ${unit}, {rate}/s, {eta_formatted} left`);
        started = performance.now();
        bar.start(total, 0, { label, done: '0', all: count(total), rate: '0' });
      }
      bar.update(done, { label, done: count(done), all: count(total), rate: count(rateSince(started, done)) });
    },
    clear: () => {
      if (bar !== undefined) clearLine(errorStream);
    },
    end,
  };
}

function lineProgress({ printError }: CommandContext, unit: string): ProgressDisplay {
  let shown: { readonly label: string; readonly total: number; readonly started: number } | undefined;
  let told = 0;
  return {
    show(label, done, total) {
      const now = performance.now();
      if (shown?.label !== label || shown.total !== total || done === 0) {
        shown = { label, total, started: now };
        told = now;
      }
      if (now - told < LINE_INTERVAL) return;
      told = now;
      const percentage = total === 0 ? 100 : Math.floor((done * 100) / total);
      const rate = rateSince(shown.started, done);
      const left = rate === 0 ? '' : `, ${count((total - done) / rate)} s left`;
      printError(`${label}: ${count(done)} of ${count(total)} ${unit} (${percentage} %), ${count(rate)}/s${left}`);
    },
    clear() {},
    end() {
      shown = undefined;
    },
  };
}

/** Makes bars of progress on a terminal. The package is loaded when one is wanted. */
export async function loadBars(stream: NodeJS.WriteStream): Promise<(format: string) => SingleBar> {
  const { SingleBar: Bar } = (await import('cli-progress')).default;
  return (format) => new Bar({ format, stream, hideCursor: true, clearOnComplete: true });
}

/** Makes room for a line of text where a bar is. */
export function clearLine(stream: NodeJS.WriteStream): void {
  stream.write('\r\u001b[K');
}
