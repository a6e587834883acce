import { parentPort, workerData } from 'node:worker_threads';
import { storageError } from '../sqlite-errors.ts';
import { openForWriting } from './document-database.ts';
import { DocumentWriter } from './document-writer.ts';
import type { FromWriter, ToWriter } from './write-queue.ts';
import { failureOf } from './write-requests.ts';

/** Thread of the writer: all requests that have come while one commit ran share the next one. */
const port = parentPort;
if (!port) throw new Error('this module runs as a thread');
const send = (message: FromWriter): void => port.postMessage(message);
const folder: string = workerData.folder;

try {
  const database = openForWriting(folder);
  const writer = new DocumentWriter(database);
  let waiting: Extract<ToWriter, { kind: 'write' }>[] = [];

  const commit = (): void => {
    const batch = waiting;
    waiting = [];
    const outcomes = writer.commit(batch.map(({ request }) => request));
    const answered = batch.map(({ id }, at) => ({ id, outcome: outcomes[at] ?? missing() }));
    send({ kind: 'outcomes', outcomes: answered, seq: writer.seq });
  };

  port.on('message', (message: ToWriter) => {
    if (message.kind === 'close') {
      if (waiting.length > 0) commit();
      database.close();
      port.close();
      return;
    }
    waiting.push(message);
    if (waiting.length === 1) setImmediate(() => waiting.length > 0 && commit());
  });
  send({ kind: 'ready', catalogue: writer.catalogue });
} catch (error) {
  send({ kind: 'refused', failure: failureOf(storageError(error, folder)) });
  port.close();
}

function missing(): never {
  throw new Error('the writer gave fewer outcomes than it got requests');
}
