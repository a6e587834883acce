import type { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { type Answer, failureOf } from '../worker-calls.ts';
import { openForWriting, storageError } from './document-database.ts';
import { DocumentWriter, type WriteCall } from './document-writer.ts';
import type { FromWriter, QueueCall } from './write-queue.ts';

/** The thread of the writer. All calls that arrive while one commit runs share the next one. */
const port = parentPort;
if (!port) throw new Error('this module runs as a thread');
const send = (message: FromWriter): void => port.postMessage(message);
const folder: string = workerData.folder;

let opened: { readonly database: DatabaseSync; readonly writer: DocumentWriter } | undefined;
let waiting: (WriteCall & { readonly id: number })[] = [];

port.on('message', (call: QueueCall & { readonly id: number }) => {
  if (call.method === 'open') send({ answers: [open(call.id)] });
  else if (call.method === 'close') close(call.id);
  else if (waiting.push(call) === 1) setImmediate(commit);
});

function open(id: number): Answer {
  try {
    const database = openForWriting(folder);
    opened = { database, writer: new DocumentWriter(database) };
    return { id, result: opened.writer.catalogue };
  } catch (error) {
    return { id, failure: failureOf(storageError(error, folder)) };
  }
}

function commit(): void {
  const batch = waiting;
  waiting = [];
  if (!opened || batch.length === 0) return;
  const outcomes = opened.writer.commit(batch);
  send({ answers: outcomes.map((outcome, at) => ({ id: batch[at]?.id ?? 0, ...outcome })), event: opened.writer.seq });
}

function close(id: number): void {
  commit();
  opened?.database.close();
  send({ answers: [{ id, result: undefined }] });
  port?.close();
}
