import type { Collection, Visible } from '../../datastore/port/collection.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import type { UpdateOperation } from '../../datastore/port/update-operations.ts';

const WHOEVER_LOOKS = unrestricted('a deleted record is related to nothing, whoever may see the others');

/** Takes records that were deleted out of what the documents of a collection relate to. */
export async function unrelateRecords<T>(
  collection: Pick<Collection<T>, 'updateWhere'>,
  ids: readonly string[],
  visible: Visible,
): Promise<void> {
  await collection.updateWhere(
    { query: { kind: 'terms', field: 'howler.related', values: ids } },
    ids.map((value): UpdateOperation => ({ op: 'remove', path: 'howler.related', value })),
    { access: WHOEVER_LOOKS, visible },
  );
}
