import { parentPort, workerData } from 'node:worker_threads';
import { openForReading } from '../documents/document-database.ts';
import { DocumentReader } from '../documents/document-reader.ts';
import { failureOf } from '../documents/write-requests.ts';
import { ColumnEngine } from './column-engine.ts';
import { callEngine, type FromColumns, type ToColumns } from './columns.ts';

/** Thread of the columns: writing into them blocks, and large answers take time to read. */
const port = parentPort;
if (!port) throw new Error('this module runs as a thread');
const send = (message: FromColumns): void => port.postMessage(message);
const folder: string = workerData.folder;

const database = openForReading(folder);
const log = (level: 'info' | 'warn' | 'error') => (details: object, text: string) =>
  send({ kind: 'log', level, details, text });
const engine = new ColumnEngine({
  folder,
  reader: new DocumentReader(database),
  logger: { info: log('info'), warn: log('warn'), error: log('error') },
  onApplied: (seq) => send({ kind: 'applied', seq }),
  onDurable: (seq) => send({ kind: 'durable', seq }),
});

// What the columns lack from an earlier run is made up for at once.
engine.announce();

const cancellations = new Map<number, AbortController>();

port.on('message', async (message: ToColumns) => {
  if (message.kind === 'announce') {
    engine.announce();
    return;
  }
  if (message.kind === 'cancel') {
    cancellations.get(message.id)?.abort();
    return;
  }
  const { id, method, args } = message;
  const [first, ...rest] = args;
  const cancellation = new AbortController();
  cancellations.set(id, cancellation);
  try {
    const given = typeof first === 'object' ? [{ ...first, signal: cancellation.signal }, ...rest] : args;
    // The caller's types have checked that the arguments are those of the method.
    const result = method === 'close' ? engine.close() : callEngine(engine, method, given as never);
    send({ kind: 'result', id, result: await result });
  } catch (error) {
    send({ kind: 'failure', id, failure: failureOf(error) });
  }
  cancellations.delete(id);
  if (method !== 'close') return;
  database.close();
  port.close();
});
