import { type ListContent, type ListFetch, ListProblem } from '../list-entry.ts';
import { openAddress } from './address-content.ts';
import { ListConnection } from './list-connection.ts';
import { openMispFeed } from './misp-feed.ts';
import { openPath } from './path-content.ts';
import { openTaxiiCollection } from './taxii-collection.ts';

/**
 * Opens a list at its path, at its address, in a collection of TAXII, or in a feed of MISP.
 * Collections and feeds keep what they have sent before in the folder, so that the documents are always the whole list.
 */
export const openListContent: ListFetch = async (list, previous, options) => {
  if (list.path !== null) return openPath(list.path, list, previous, options);
  if (list.url === null) throw new ListProblem(list.name, 'it has neither `path` nor `url`');
  const connection = new ListConnection(list, options);
  const open = list.format === 'taxii' ? openTaxiiCollection : list.format === 'misp_feed' ? openMispFeed : openAddress;
  try {
    return await closedWith(connection, await open(list.url, list, { connection, previous, ...options }));
  } catch (error) {
    await connection.close();
    throw error;
  }
};

/** Returns the content, whose connection is closed with it. */
async function closedWith(connection: ListConnection, content: ListContent): Promise<ListContent> {
  if (content.changed) return { ...content, close: () => connection.close() };
  await connection.close();
  return content;
}
