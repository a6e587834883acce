import { basename } from 'node:path';
import type { ClassificationEngine } from '../../../classification/classification.ts';
import type { Log } from '../../../http/request-log.ts';
import { addressBytes, addressText, embeddedAddress } from '../../../identity/limits/special-networks.ts';
import { canonicalAddress } from '../../../identity/networks.ts';
import type { OwnSource } from '../../sources/own-source.ts';
import { answerLocally, excerpt, type LocalEntry, type WrittenAnnotation } from '../local-answers.ts';
import { WatchedFile } from '../watched-file.ts';
import { type GeoFile, readGeoFile } from './geo-file.ts';
import { type GeoRecord, readGeoRecord } from './geo-record.ts';

export interface GeoSourceDependencies {
  /** MMDB files; of what several of them say, the first counts. */
  readonly files: readonly string[];
  readonly engine: Pick<ClassificationEngine, 'unrestricted'>;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

const SETTING = 'enrichment.geo.files';

/** Opens the source of country, city and network of addresses; undefined without files. */
export function openGeoSource({ files, engine, log }: GeoSourceDependencies): OwnSource | undefined {
  if (files.length === 0) return undefined;
  const { unrestricted: classification } = engine;
  const opened = files.map((path) => {
    const file = new WatchedFile({ path, setting: SETTING, read: readGeoFile, log });
    return { name: basename(path), file };
  });
  return {
    name: 'geo',
    reach: 'local',
    source: {
      types: () => ({ ipv4: classification, ipv6: classification }),
      lookup: async (selectors, flags, call) => {
        const usable = await usableFiles(opened);
        const describe = (_type: string, value: string) => describeAddress(usable, value);
        return answerLocally(selectors, { flags, call, classification, describe });
      },
    },
    close: async () => void (await Promise.all(opened.map(({ file }) => file.close()))),
  };
}

interface NamedFile {
  readonly name: string;
  readonly content: GeoFile;
}

/** Returns the files that were read. @throws Error with the first reason if there are none */
async function usableFiles(
  opened: readonly { readonly name: string; readonly file: WatchedFile<GeoFile> }[],
): Promise<readonly NamedFile[]> {
  const read = await Promise.allSettled(
    opened.map(async ({ name, file }): Promise<NamedFile> => ({ name, content: await file.value() })),
  );
  const usable = read.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const [failed] = read;
  if (usable.length === 0 && failed?.status === 'rejected') throw failed.reason;
  return usable;
}

/** The record of one file. */
interface Found {
  readonly record: GeoRecord;
  readonly version: string;
}

function describeAddress(files: readonly NamedFile[], value: string): LocalEntry | undefined {
  const address = canonicalAddress(value);
  if (address === undefined) return undefined;
  const found: Found[] = [];
  const rawData: Record<string, unknown> = Object.create(null);
  for (const { name, content } of files) {
    const record = content.find(address) ?? content.find(carriedAddress(address) ?? address);
    if (record === undefined) continue;
    rawData[name] = record;
    found.push({ record: readGeoRecord(record), version: `${name} ${content.date}` });
  }
  const annotations = annotationsOf(found);
  return annotations.length === 0 ? undefined : { annotations, rawData };
}

function carriedAddress(address: string): string | undefined {
  const inside = embeddedAddress(addressBytes(address) ?? new Uint8Array());
  return inside && addressText(inside.address);
}

function annotationsOf(found: readonly Found[]): readonly WrittenAnnotation[] {
  const places = [countryOf, cityOf, networkOf].map((read) => {
    const where = found.find(({ record }) => read(record) !== undefined);
    const annotation = where && read(where.record);
    return annotation && { analytic: 'Triad geo', version: where.version, type: 'context' as const, ...annotation };
  });
  return places.filter((annotation) => annotation !== undefined);
}

type Statement = Omit<WrittenAnnotation, 'type'>;

function countryOf({ country }: GeoRecord): Statement | undefined {
  if (country === undefined) return undefined;
  const { code } = country;
  const name = excerpt(country.name);
  const shown = code === undefined || code === name ? name : `${name} (${code})`;
  const icon = code === undefined ? {} : { icon: `circle-flags:${code.toLowerCase()}` };
  return { value: code ?? name, summary: `The address is in ${shown}.`, confidence: 0.8, ...icon };
}

function cityOf({ city }: GeoRecord): Statement | undefined {
  if (city === undefined) return undefined;
  return { value: excerpt(city), summary: `The address is in or near ${excerpt(city)}.`, confidence: 0.4 };
}

function networkOf({ asn, organization }: GeoRecord): Statement | undefined {
  const owner = organization === undefined ? undefined : excerpt(organization);
  if (asn === undefined) {
    return owner === undefined
      ? undefined
      : { value: owner, summary: `The network of the address belongs to ${owner}.`, confidence: 0.8 };
  }
  const whose = owner === undefined ? '' : ` of ${owner}`;
  return { value: `AS${asn}`, summary: `The address is in the network AS${asn}${whose}.`, confidence: 0.9 };
}
