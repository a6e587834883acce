import type { CollectionDefinition } from '../../documents/collection-definition.ts';
import { Conflict, isTriadError } from '../../errors/errors.ts';
import type { IndexAdmin } from '../index-admin.ts';

/**
 * Gives an index the fields that it lacks.
 * @throws Conflict `field_mismatch`, when it has a field of another type or indexed otherwise
 */
export async function checkFields(
  admin: IndexAdmin,
  index: string,
  definition: CollectionDefinition<unknown>,
): Promise<void> {
  try {
    await admin.addFields(index, definition);
  } catch (cause) {
    if (!isTriadError(cause) || cause.code !== 'field_mismatch') throw cause;
    throw new Conflict(
      'field_mismatch',
      `The index ${index} does not fit this version: ${cause.message} Make a backup, then run the reindex command for ${definition.name}.`,
      { cause, at: index },
    );
  }
}
