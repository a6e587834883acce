import { readLink } from '../../models/link.ts';
import type { ListDetails, ListEntry } from '../list-entry.ts';

/** Statements about a value as a compiled list keeps them. Times are milliseconds since 1970. */
export interface StoredDetails
  extends Pick<
    ListDetails,
    'opinion' | 'confidence' | 'author' | 'tags' | 'killChain' | 'summary' | 'link' | 'ubiquitous'
  > {
  readonly marking?: string | undefined;
  readonly validFrom?: number | undefined;
  readonly validUntil?: number | undefined;
}

export const NO_DETAILS: StoredDetails = Object.freeze({});

const MAX_TEXT = 2000;
const MAX_WORD = 200;
const MAX_WORDS = 50;

/** Returns what is kept of an entry, within limits, as JSON; undefined when there is nothing. */
export function storeDetails({ marking, details }: ListEntry): string | undefined {
  if (marking === undefined && details === undefined) return undefined;
  const { link } = details ?? {};
  const read = link === undefined ? undefined : readLink(link);
  const stored: StoredDetails = {
    marking: marking?.trim().toUpperCase().slice(0, MAX_WORD) || undefined,
    opinion: details?.opinion,
    confidence: shareOf(details?.confidence),
    author: cut(details?.author, MAX_WORD),
    tags: words(details?.tags),
    killChain: words(details?.killChain),
    validFrom: timeOf(details?.validFrom),
    validUntil: timeOf(details?.validUntil),
    summary: cut(details?.summary, MAX_TEXT),
    link: read !== undefined && 'link' in read && read.link.length <= MAX_TEXT ? read.link : undefined,
    ubiquitous: details?.ubiquitous || undefined,
  };
  const json = JSON.stringify(stored);
  return json === '{}' ? undefined : json;
}

export function readDetails(json: string | null | undefined): StoredDetails {
  return json === null || json === undefined ? NO_DETAILS : (JSON.parse(json) as StoredDetails);
}

function shareOf(value: number | undefined): number | undefined {
  return value === undefined || !Number.isFinite(value) ? undefined : Math.min(1, Math.max(0, value));
}

function timeOf(text: string | undefined): number | undefined {
  const time = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

function cut(text: string | undefined, length: number): string | undefined {
  return text?.trim().slice(0, length) || undefined;
}

function words(all: readonly string[] | undefined): readonly string[] | undefined {
  const kept = all?.slice(0, MAX_WORDS).flatMap((word) => cut(word, MAX_WORD) ?? []);
  return kept === undefined || kept.length === 0 ? undefined : kept;
}
