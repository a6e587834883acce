import type { DocumentWriter } from './document-writer.ts';
import type { WriteOutcome, WriteRequest } from './write-requests.ts';

/** Takes writes, wherever the writer runs. Requests are applied in the order in which they come. */
export interface WriteQueue {
  submit(request: WriteRequest): Promise<WriteOutcome>;
  /** Finishes what was submitted. */
  close(): Promise<void>;
}

/** Writes at once, where nothing can block: in memory. */
export class DirectWriteQueue implements WriteQueue {
  readonly #writer: DocumentWriter;

  constructor(writer: DocumentWriter) {
    this.#writer = writer;
  }

  async submit(request: WriteRequest): Promise<WriteOutcome> {
    const [outcome] = this.#writer.commit([request]);
    if (!outcome) throw new Error('the writer gave no outcome');
    return outcome;
  }

  async close(): Promise<void> {}
}
