import { isDeepStrictEqual } from 'node:util';
import type { IndexAdmin } from '../../datastore/port/index-admin.ts';
import { Conflict } from '../../errors/errors.ts';

interface Comparison {
  readonly source: string;
  readonly target: string;
  /** Documents of the source may be missing in the target. */
  readonly allowMissing: boolean;
  readonly signal: AbortSignal;
}

/** Positions after which documents are compared: identifiers are random letters and digits. */
const POSITIONS = [undefined, ...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];
/** Documents that are compared at each position. */
const DOCUMENTS = 4;

/** Compares numbers of documents, and contents over the range of identifiers: `reindex_differs`. */
export async function compareIndices(
  admin: IndexAdmin,
  comparison: Comparison,
): Promise<{ readonly compared: number }> {
  const { source, target, allowMissing } = comparison;
  const [from, to] = [await documentsOf(admin, source), await documentsOf(admin, target)];
  const missing = allowMissing ? Math.max(0, from - to) : 0;
  if (from !== to + missing) throw differs(comparison, `it has ${to} documents, ${source} has ${from}`);
  /** Positions may have documents in common. */
  const compared = new Set<string>();
  const absent = new Set<string>();
  for (const after of POSITIONS) {
    comparison.signal.throwIfAborted();
    const expected = await documentsAfter(admin, source, after);
    const found = new Map((await documentsAfter(admin, target, after)).map(({ id, document }) => [id, document]));
    for (const { id, document } of expected) {
      compared.add(id);
      if (isDeepStrictEqual(found.get(id), document)) continue;
      if (!found.has(id)) absent.add(id);
      if (found.has(id) || absent.size > missing) throw differs(comparison, `the document ${id} is not the same`);
    }
  }
  return { compared: compared.size };
}

function differs({ source, target }: Comparison, how: string): Conflict {
  return new Conflict('reindex_differs', `${target} is not an exact copy of ${source}: ${how}.`);
}

async function documentsOf(admin: IndexAdmin, index: string): Promise<number> {
  return (await admin.list(index))[0]?.documents ?? 0;
}

async function documentsAfter(admin: IndexAdmin, index: string, after: string | undefined) {
  for await (const batch of admin.scan(index, { batch: DOCUMENTS, ...(after === undefined ? {} : { after }) })) {
    return batch;
  }
  return [];
}
