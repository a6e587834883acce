import { badlistDocument } from '../../../documents/kinds/analysis/badlist.ts';
import { fileDocument } from '../../../documents/kinds/analysis/file.ts';
import { resultDocument } from '../../../documents/kinds/analysis/result.ts';
import type { CollectionDefinition } from '../../../documents/schema/collection-definition.ts';
import type { SearchedField } from '../values/sought-value.ts';

type Definition = Pick<CollectionDefinition<unknown>, 'fieldByPath'>;

const TAGS = 'result.sections.tags.network';

/** Fields of files by type of value; a URL is a file that stands for it. */
const FILE = { md5: ['md5'], sha1: ['sha1'], sha256: ['sha256'], url: ['uri_info.uri'] };
/** Fields of results, whose tags name what services found. */
const RESULT = {
  ipv4: [`${TAGS}.static.ip`, `${TAGS}.dynamic.ip`],
  ipv6: [`${TAGS}.static.ip`, `${TAGS}.dynamic.ip`],
  domain: [`${TAGS}.static.domain`, `${TAGS}.dynamic.domain`, `${TAGS}.tls.sni`],
  hostname: [`${TAGS}.static.domain`, `${TAGS}.dynamic.domain`, `${TAGS}.tls.sni`],
  url: [`${TAGS}.static.uri`, `${TAGS}.dynamic.uri`],
  email_address: [`${TAGS}.email.address`],
};
/** Fields of entries of the bad list and the safe list. */
const LISTED = {
  ...{ md5: ['hashes.md5'], sha1: ['hashes.sha1'], sha256: ['hashes.sha256'] },
  ...Object.fromEntries(Object.keys(RESULT).map((type) => [type, ['tag.value']])),
};

export const ANALYSIS_TYPES: readonly string[] = [...new Set([...Object.keys(FILE), ...Object.keys(RESULT)])];

/** Return the fields that may hold a value of this type. */
export const fileFields = fieldsIn(fileDocument, FILE);
export const tagFields = fieldsIn(resultDocument, RESULT);
/** The safe list has the same fields. */
export const listedFields = fieldsIn(badlistDocument, LISTED);

function fieldsIn(
  { fieldByPath }: Definition,
  byType: Readonly<Record<string, readonly string[]>>,
): (type: string) => readonly SearchedField[] {
  const fields = new Map(
    Object.entries(byType).map(([type, paths]) => [
      type,
      paths.map((path): SearchedField => {
        const field = fieldByPath.get(path);
        if (field === undefined) throw new Error(`there is no field ${path}`);
        return { path, kind: field.searchKind };
      }),
    ]),
  );
  return (type) => fields.get(type) ?? [];
}
