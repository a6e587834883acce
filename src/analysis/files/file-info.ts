import type { UriInfo } from '../formats/uri-file.ts';
import type { FuzzyDigests } from './fuzzy-digests.ts';

/** Facts about a file that follow from its bytes, as file documents have them. */
export interface FileInfo extends Partial<FuzzyDigests> {
  /** The first 64 bytes, with dots for what cannot be printed. */
  readonly ascii: string;
  readonly hex: string;
  readonly magic: string;
  readonly mime: string;
  readonly type: string;
  readonly md5: string;
  readonly sha1: string;
  readonly sha256: string;
  readonly size: number;
  readonly uri_info?: UriInfo;
}
