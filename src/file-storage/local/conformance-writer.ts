import { openLocalFileStorage } from './local-file-storage.ts';

/**
 * A process for tests: puts content without end into the folder of its first argument, and prints a
 * line for every MiB. Its second argument limits the size of the content.
 */
const [folder = '', limit] = process.argv.slice(2);
const storage = await openLocalFileStorage({ folder });

async function* content() {
  for (let sent = 0; limit === undefined || sent < Number(limit); sent += 1 << 20) {
    yield Buffer.alloc(1 << 20, sent >>> 20);
    console.log(sent);
  }
}

try {
  console.log('put', JSON.stringify(await storage.put(content())));
} catch (error) {
  console.log('refused', JSON.stringify({ ...(error as object), message: (error as Error).message }));
}
