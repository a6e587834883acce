import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// What every process of the program runs first, in plain JavaScript: a thread that meets TypeScript before it has the cache loads the
// compiler, 12 MB each of the three. They learn of the cache from the environment. Measured: 225 MB when idle instead of 263, and a second
// start that takes 1.15 s of processor time instead of 1.39.
const compiled = join(import.meta.dirname, '..', 'node_modules', '.cache', 'compiled');
process.env.NODE_COMPILE_CACHE ??= compiled;
enableCompileCache(process.env.NODE_COMPILE_CACHE);

// Searches, files and name lookups share the threads of the pool, 4 by default. The searches of one user take 4 of them at most.
process.env.UV_THREADPOOL_SIZE ??= '12';

await import('./main.ts');
