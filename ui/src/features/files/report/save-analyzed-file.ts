import { send } from '../../../api/connection.ts';
import { saveFile } from '../../../design/data/values/save-file.ts';

/** `cart` and `zip` (encrypted) do no harm where they are saved; `raw` is the file itself. */
export type Encoding = 'cart' | 'zip' | 'raw';

/**
 * Saves a file that was analyzed, under its hash: no name comes from data.
 * A browser that follows a link would not say why the service refused.
 * @throws ApiProblem
 */
export async function saveAnalyzedFile(sha256: string, encoding: Encoding, sid: string): Promise<void> {
  const query = new URLSearchParams({ encoding, sid });
  const path = `/services/analysis/api/v4/file/download/${encodeURIComponent(sha256)}/?${query}`;
  const answer = await send(new Request(new URL(path, location.origin)));
  saveFile(await answer.blob(), encoding === 'raw' ? sha256 : `${sha256}.${encoding}`);
}
