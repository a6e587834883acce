import { Store } from '../../state/store.ts';

export interface Upload {
  readonly id: number;
  readonly name: string;
  readonly size: number;
  readonly sent: number;
  readonly state: 'waiting' | 'sending' | 'done' | 'failed' | 'cancelled';
  readonly sid?: string;
  readonly problem?: unknown;
}

/** Sends a file and returns the identifier of its submission. */
type Submit = (file: File, progress: (sent: number, size: number) => void, signal: AbortSignal) => Promise<string>;

/**
 * Called with each submission. `isAlone`: its file was added alone, and no other file is being sent or
 * waits.
 */
export type OnSubmitted = (sid: string, isAlone: boolean) => void;

/** Submits files one after the other, each with its progress, also while another page is shown. */
export class UploadQueue {
  readonly uploads = new Store<readonly Upload[]>([]);
  readonly #submit: Submit;
  readonly #controllers = new Map<number, AbortController>();
  #last: Promise<void> = Promise.resolve();
  #lastId = 0;

  constructor(submit: Submit) {
    this.#submit = submit;
  }

  /** Adds files to the end of the queue. Those that were submitted leave the list. */
  add(files: readonly File[], onSubmitted: OnSubmitted): void {
    const added = files.map((file) => {
      this.#lastId += 1;
      this.#controllers.set(this.#lastId, new AbortController());
      const { name, size } = file;
      return { file, upload: { id: this.#lastId, name, size, sent: 0, state: 'waiting' as const } };
    });
    const kept = this.uploads.read().filter(({ state }) => state !== 'done');
    this.uploads.set([...kept, ...added.map(({ upload }) => upload)]);
    for (const { file, upload } of added) {
      this.#last = this.#last.then(async () => {
        const sid = await this.#send(upload.id, file);
        if (sid !== undefined) onSubmitted(sid, added.length === 1 && this.#controllers.size === 0);
      });
    }
  }

  /** Ends an upload that waits or is being sent. */
  cancel(id: number): void {
    const controller = this.#controllers.get(id);
    if (controller === undefined) return;
    controller.abort();
    this.#controllers.delete(id);
    this.#change(id, { state: 'cancelled' });
  }

  async #send(id: number, file: File): Promise<string | undefined> {
    const controller = this.#controllers.get(id);
    if (controller === undefined) return undefined;
    this.#change(id, { state: 'sending' });
    try {
      const sid = await this.#submit(file, (sent, size) => this.#change(id, { sent, size }), controller.signal);
      this.#change(id, { state: 'done', sid });
      return sid;
    } catch (problem) {
      if (!controller.signal.aborted) this.#change(id, { state: 'failed', problem });
      return undefined;
    } finally {
      this.#controllers.delete(id);
    }
  }

  #change(id: number, changes: Partial<Upload>): void {
    this.uploads.set(this.uploads.read().map((upload) => (upload.id === id ? { ...upload, ...changes } : upload)));
  }
}
