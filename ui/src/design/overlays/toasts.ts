import { LatePart } from '../late/late-part.ts';
import { cutText } from '../states/cut-text.ts';

/** Draws the toasts; loaded when the first one is shown. */
export const toaster = new LatePart(async () => (await import('./toaster.tsx')).Toaster);

/** A toast is read at a glance. */
const MAX_SENTENCE = 240;

export interface ToastAction {
  readonly label: string;
  readonly run: () => void;
  /** Keys that do the same. */
  readonly keys?: string | undefined;
}

export interface ToastOptions {
  /** Shown in place of an earlier toast of the same id. */
  readonly id?: string | undefined;
  /** A mistake is announced at once; a note waits for its turn. */
  readonly kind?: 'note' | 'problem' | undefined;
  readonly action?: ToastAction | undefined;
  /** Seconds until it goes; 0 keeps it. Default 6, and 10 with an action. */
  readonly seconds?: number | undefined;
}

export interface ShownToast extends ToastOptions {
  readonly id: string;
  readonly sentence: string;
}

/** Draws toasts; the Toaster, once it is loaded. */
export interface ToastSink {
  readonly show: (toast: ShownToast) => void;
  readonly close: (id: string) => void;
}

let sink: ToastSink | undefined;
let waiting: ShownToast[] = [];
let count = 0;

/** Shows a sentence in the corner, with an action, for example to undo. Returns its id. */
export function showToast(sentence: string, options: ToastOptions = {}): string {
  count += 1;
  const toast = { ...options, id: options.id ?? `toast-${count}`, sentence: cutText(sentence, MAX_SENTENCE) };
  if (sink === undefined) waiting.push(toast);
  else sink.show(toast);
  void toaster.load();
  return toast.id;
}

export function closeToast(id: string): void {
  waiting = waiting.filter((toast) => toast.id !== id);
  sink?.close(id);
}

/** Gives toasts to what draws them, first those that waited. Returns the function that ends it. */
export function connectToasts(next: ToastSink): () => void {
  sink = next;
  for (const toast of waiting) next.show(toast);
  waiting = [];
  return () => {
    sink = undefined;
  };
}
