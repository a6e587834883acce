import type { Result } from '../../documents/kinds/analysis/result.ts';

/** The files that results refer to. */
export interface ResultFiles {
  /** Renews document and bytes of a file; false when one of them is not there. */
  freshen(sha256: string, options: FreshenOptions): Promise<boolean>;
  /** Returns whether document and bytes are there. */
  exists(sha256: string): Promise<boolean>;
}

interface FreshenOptions {
  /** Undefined: never expires. */
  readonly expiry: string | undefined;
  readonly classification: string;
  readonly isSectionImage?: boolean;
  readonly isSupplementary?: boolean;
}

/** A file of a result, as extracted, supplementary or both. */
export interface ReferredFile {
  readonly sha256: string;
  readonly classification: string;
  readonly isSectionImage: boolean;
  readonly isSupplementary: boolean;
}

/** Returns the files that a result refers to, each once. */
export function referredFiles({ response: { extracted, supplementary } }: Result): readonly ReferredFile[] {
  const found = new Map<string, ReferredFile>();
  for (const [files, isSupplementary] of [
    [extracted, false],
    [supplementary, true],
  ] as const) {
    for (const { sha256, classification, is_section_image: isSectionImage } of files) {
      const before = found.get(sha256);
      found.set(sha256, {
        sha256,
        classification: before?.classification ?? classification,
        isSectionImage: isSectionImage || before?.isSectionImage === true,
        isSupplementary: isSupplementary || before?.isSupplementary === true,
      });
    }
  }
  return [...found.values()];
}
