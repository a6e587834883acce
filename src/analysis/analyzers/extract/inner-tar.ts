import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type ResultSection, section } from '../analyzer.ts';
import type { ExtractedMember } from './extraction.ts';

/** Returns the section about a compressed tar file, which is not extracted as a file of its own. */
export async function innerTarSection(format: string, { path, name, size }: ExtractedMember): Promise<ResultSection> {
  const hashes = ['sha256', 'sha1', 'md5'].map((algorithm) => createHash(algorithm));
  for await (const chunk of createReadStream(path)) for (const hash of hashes) hash.update(chunk);
  const [sha256, sha1, md5] = hashes.map((hash) => hash.digest('hex'));
  const text = `The following tar file was extracted from the ${format}, and further extracted`;
  const items = [
    ['Name', name],
    ['SHA256', sha256],
    ['SHA1', sha1],
    ['MD5', md5],
    ['Total Size', size],
  ];
  const body = [
    ['TEXT', text, {}],
    ['ORDERED_KEY_VALUE', items, {}],
  ];
  return section(`${format} tar file extracted`, { format: 'MULTI', body });
}
