import { readFile } from 'node:fs/promises';
import { Reader } from 'mmdb-lib';
import { isObject } from '../../../json/json-object.ts';

/** The open content of an MMDB file (MaxMind DB format 2.0). */
export interface GeoFile {
  /** Date of the data, `2026-01-31`. */
  readonly date: string;
  /** Returns the record of an address; undefined if there is none. */
  find(address: string): Readonly<Record<string, unknown>> | undefined;
}

/** Precedes the metadata, which are the last part of the file and at most 128 KiB. */
const MARKER = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');
const MAX_METADATA_BYTES = 128 * 1024;
/** Addresses that are looked up after opening, to detect a damaged file. */
const PROBES = ['1.1.1.1', '8.8.8.8', '193.0.0.1', '255.255.255.255'];

/** Reads an MMDB file into memory. @throws Error with the reason for a file that is not one, or damaged */
export async function readGeoFile(path: string): Promise<GeoFile> {
  const content = await readFile(path);
  const metadataStart = content.subarray(-MAX_METADATA_BYTES).lastIndexOf(MARKER);
  if (metadataStart === -1) throw new Error('it is not an MMDB file, or its end is missing');
  const reader: Pick<Reader<never>, 'metadata'> & { get(address: string): unknown } = new Reader<never>(content);
  const { ipVersion, searchTreeSize, buildEpoch } = reader.metadata;
  if (!isWhole(reader.metadata, content.length)) throw new Error('its parts do not fit together');
  const find: GeoFile['find'] = (address) => {
    if (ipVersion === 4 && address.includes(':')) return undefined;
    const record = reader.get(address);
    return isObject(record) ? record : undefined;
  };
  if (searchTreeSize > 0) for (const probe of PROBES) find(probe);
  return { date: dateOf(buildEpoch), find };
}

function isWhole({ nodeCount, searchTreeSize, ipVersion }: Reader<never>['metadata'], length: number): boolean {
  return Number.isSafeInteger(nodeCount) && searchTreeSize < length && (ipVersion === 4 || ipVersion === 6);
}

function dateOf(time: Date): string {
  return Number.isNaN(time.getTime()) ? 'of an unknown date' : time.toISOString().slice(0, 10);
}
