import type { Collection } from '../../datastore/port/collection.ts';
import { anyOf, type QueryNode } from '../../datastore/port/query-tree.ts';
import type { ReadAccess } from '../../datastore/port/read-access.ts';
import type { Submission } from '../../documents/kinds/analysis/submission.ts';

/** Fields of submissions whose values pages about a file count (`ui.statistics.submission`). */
const COUNTED_FIELDS = ['params.submitter'] as const;

/** Selects submissions in which the file was submitted or analysed. */
export function submissionsOfFile(sha256: string): QueryNode {
  return anyOf(
    { kind: 'term', field: 'files.sha256', value: sha256 },
    { kind: 'prefix', field: 'results', value: `${sha256}.` },
  );
}

/** Counts who submitted a file, and so on, in the submissions that the caller may see. */
export async function fileMetadata(
  submissions: Pick<Collection<Submission>, 'facet'>,
  sha256: string,
  access: ReadAccess,
): Promise<Readonly<Record<string, Readonly<Record<string, number>>>>> {
  const query = submissionsOfFile(sha256);
  const counted = COUNTED_FIELDS.map(async (field) => {
    const { buckets } = await submissions.facet({ query, field }, access);
    const name = field.slice(field.lastIndexOf('.') + 1);
    return [name, Object.fromEntries(buckets.map(({ label, count }) => [label, count]))] as const;
  });
  return Object.fromEntries(await Promise.all(counted));
}
