import { Toast } from '@base-ui/react/toast';

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

export interface ToastData {
  readonly action: ToastAction | undefined;
}

/** The toasts of the page, drawn by the Toaster in DesignRoot. */
export const toastManager = Toast.createToastManager<ToastData>();

/** Shows a sentence in the corner, with an action, for example to undo. Returns its id. */
export function showToast(sentence: string, { id, kind = 'note', action, seconds }: ToastOptions = {}): string {
  return toastManager.add({
    ...(id === undefined ? {} : { id }),
    description: sentence,
    type: kind,
    priority: kind === 'problem' ? 'high' : 'low',
    timeout: (seconds ?? (action === undefined ? 6 : 10)) * 1000,
    data: { action },
  });
}

export function closeToast(id: string): void {
  toastManager.close(id);
}
