/** `cart` and `zip` (encrypted) do no harm where they are saved; `raw` is the file itself. */
export type Encoding = 'cart' | 'zip' | 'raw';

/** Saves a file by the browser. The address has a hash and no name that came from data. */
export function saveAnalyzedFile(sha256: string, encoding: Encoding, sid: string): void {
  if (!/^[0-9a-f]{64}$/.test(sha256)) return;
  const link = document.createElement('a');
  link.href = `/services/analysis/api/v4/file/download/${sha256}/?${new URLSearchParams({ encoding, sid })}`;
  link.download = '';
  link.click();
}
