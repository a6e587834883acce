import { parentPort, workerData } from 'node:worker_threads';
import { ColumnEngine } from './column-engine.ts';
import type { ColumnCall, ColumnEvent, FromColumns } from './columns.ts';
import { openForReading } from './documents/document-database.ts';
import { DocumentReader } from './documents/document-reader.ts';
import { failureOf, invoke } from './worker-calls.ts';

/** The thread of the columns: writing into them blocks, and large answers take time to read. */
const port = parentPort;
if (!port) throw new Error('this module runs as a thread');
const send = (message: FromColumns): void => port.postMessage(message);
const report = (event: ColumnEvent): void => send({ event });
const folder: string = workerData.folder;

const database = openForReading(folder);
const log = (level: 'info' | 'warn' | 'error') => (details: object, text: string) =>
  report({ kind: 'log', level, details, text });
const engine = new ColumnEngine({
  folder,
  reader: new DocumentReader(database),
  logger: { info: log('info'), warn: log('warn'), error: log('error') },
  onApplied: (seq) => report({ kind: 'applied', seq }),
  onDurable: (seq) => report({ kind: 'durable', seq }),
});
const cancellations = new Map<number, AbortController>();

// What the columns lack from an earlier run is applied at once.
engine.announce();

port.on('message', async ({ id, method, args }: ColumnCall & { readonly id: number }) => {
  const [first, ...rest] = args;
  if (method === 'cancel') {
    cancellations.get(Number(first))?.abort();
    send({ answers: [{ id, result: undefined }] });
    return;
  }
  const cancellation = new AbortController();
  cancellations.set(id, cancellation);
  try {
    const given = typeof first === 'object' ? [{ ...first, signal: cancellation.signal }, ...rest] : args;
    // The caller's types have checked that the arguments are those of the method.
    send({ answers: [{ id, result: await invoke(engine, method, given as never) }] });
  } catch (error) {
    send({ answers: [{ id, failure: failureOf(error) }] });
  }
  cancellations.delete(id);
  if (method !== 'close') return;
  database.close();
  port.close();
});
