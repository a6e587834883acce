import { defang } from '../text/defang.ts';

/** Returns the form of a value that the clipboard gets. */
export function copiedForm(value: string, as: 'plain' | 'defanged'): string {
  return as === 'defanged' ? defang(value) : value;
}

/** Writes to the clipboard. Returns false where the browser refuses, as it does without https. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
