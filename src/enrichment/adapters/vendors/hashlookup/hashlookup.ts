import { type Adapter, type Findings, path, type Vendor, type VendorSelector } from '../../adapter.ts';
import { anything, list, maybe, number, readAnswer, record, text } from '../../answer-shape.ts';
import { contextNote, type Finding, type Note, present } from '../../finding.ts';

const FILE = record({
  MD5: maybe(text),
  'SHA-1': maybe(text),
  'SHA-256': maybe(text),
  FileName: maybe(text),
  FileSize: maybe(number),
  KnownMalicious: maybe(text),
  'hashlookup:trust': maybe(number),
  source: maybe(text),
  db: maybe(text),
  ProductCode: maybe(record({ ProductName: maybe(text), ProductVersion: maybe(text) })),
});
type KnownFile = ReturnType<typeof FILE>;

/** Names of hashes in answers. Those with a request for many hashes come first. */
const HASHES = { md5: 'MD5', sha1: 'SHA-1', sha256: 'SHA-256' } as const;
const BULK: readonly string[] = ['md5', 'sha1'];
/** Trust (percent) at which the service has no opinion. */
const NO_OPINION = 50;

/** Asks CIRCL hashlookup whether a file is one of known software. */
export const hashlookup: Adapter = {
  name: 'hashlookup',
  title: 'CIRCL hashlookup',
  reach: 'passive',
  documentation: 'https://www.circl.lu/services/hashlookup/',
  types: Object.keys(HASHES),
  url: 'https://hashlookup.circl.lu',
  // The service has no documented limit ("best effort").
  rateLimits: ['10/second'],
  valuesPerCall: 50,
  statuses: { 404: 'unknown' },
  async lookup(selectors, vendor) {
    const found = new Map<VendorSelector, readonly Finding[]>();
    for (const type of Object.keys(HASHES) as (keyof typeof HASHES)[]) {
      const asked = selectors.filter((selector) => selector.type === type);
      const findings =
        asked.length > 1 && BULK.includes(type) ? lookupMany(type, asked, vendor) : lookupEach(asked, vendor);
      for (const [selector, items] of await findings) found.set(selector, items);
    }
    return found;
  },
};

async function lookupEach(selectors: readonly VendorSelector[], vendor: Vendor): Promise<Findings> {
  const found = new Map<VendorSelector, readonly Finding[]>();
  for (const selector of selectors) {
    const answer = await vendor.send({ path: path`/lookup/${selector.type}/${selector.value}` });
    if (answer !== undefined) found.set(selector, [findingOf(readAnswer(FILE, answer), answer)]);
  }
  return found;
}

async function lookupMany(
  type: keyof typeof HASHES,
  selectors: readonly VendorSelector[],
  vendor: Vendor,
): Promise<Findings> {
  const hashes = selectors.map(({ value }) => value.toUpperCase());
  const answer = await vendor.send({ path: path`/bulk/${type}`, json: { hashes } });
  if (answer === undefined) return new Map();
  const byHash = new Map(selectors.map((selector) => [selector.value, selector]));
  return new Map(
    readAnswer(list(anything), answer).flatMap((raw) => {
      const file = readAnswer(FILE, raw);
      const selector = byHash.get(file[HASHES[type]]?.toLowerCase() ?? '');
      return selector === undefined ? [] : [[selector, [findingOf(file, raw)]]];
    }),
  );
}

function findingOf(file: KnownFile, raw: unknown): Finding {
  const product = file.ProductCode;
  return {
    link: hashlookup.documentation,
    raw,
    notes: present([
      opinionOf(file),
      contextNote('File name', file.FileName, 'File name'),
      contextNote('File size', file.FileSize, 'Bytes'),
      contextNote('Product', product?.ProductName, 'Product'),
      contextNote('Source', file.source ?? file.db, 'Known from'),
    ]),
  };
}

function opinionOf({ KnownMalicious: malicious, 'hashlookup:trust': trust }: KnownFile): Note | undefined {
  const note = { about: 'Known file', type: 'opinion' } as const;
  if (malicious !== undefined) return { ...note, value: 'malicious', summary: `Known as malicious by ${malicious}` };
  if (trust === undefined || trust === NO_OPINION) return undefined;
  const isTrusted = trust > NO_OPINION;
  return {
    ...note,
    value: isTrusted ? 'benign' : 'obscure',
    confidence: (isTrusted ? trust : 100 - trust) / 100,
    summary: `A file of known software, trust ${trust} %`,
    isCommon: isTrusted,
  };
}
