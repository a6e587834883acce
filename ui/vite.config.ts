import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import babel from '@rolldown/plugin-babel';
import react, { reactCompilerPreset } from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { chunkGroups } from './chunks.ts';
import { earlyFiles } from './early.ts';

/** Smaller files stay as they are: the head of an answer weighs as much. */
const MIN_COMPRESSED_BYTES = 1024;

/** `TRIAD_UI_GALLERY=1` adds the page of all components, for development and tests. */
const withGallery = process.env.TRIAD_UI_GALLERY === '1';

/**
 * Packs each text file in advance, `x.js.br` and `x.js.gz` beside `x.js`, for the web listener to
 * send.
 */
function precompress(): Plugin {
  let folder = '';
  return {
    name: 'triad-precompress',
    apply: 'build',
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir);
    },
    closeBundle() {
      for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
        const file = join(folder, name);
        if (!/\.(?:js|css|html|svg|json)$/.test(name) || statSync(file).size < MIN_COMPRESSED_BYTES) continue;
        const bytes = readFileSync(file);
        const params = { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
        writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }));
        writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
      }
    },
  };
}

/** The statement that names the cascade layers, from the first line of tokens.css. */
const layers =
  /@layer [^;]+;/.exec(readFileSync(join(import.meta.dirname, 'src/design/tokens.css'), 'utf8'))?.[0] ?? '';

/**
 * Names the cascade layers at the start of each file of styles: the order of layers is that of their
 * first mention, and a file that two pages share is loaded before the one with the tokens.
 */
function layerOrder(): Plugin {
  return {
    name: 'triad-layer-order',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      for (const asset of Object.values(bundle)) {
        if (asset.type === 'asset' && asset.fileName.endsWith('.css')) asset.source = layers + String(asset.source);
      }
    },
  };
}

/** Returns the name of a chunk or asset without its ending and the list of modules that share it. */
function shortened(name: string): string {
  return name.replace(/~.*$|\.[^.]*$/, '');
}

/** Where `npm run dev` finds the program. */
const program = process.env.TRIAD_UI_PROGRAM ?? 'http://127.0.0.1:8080';

// biome-ignore lint/style/noDefaultExport: Vite reads the default export.
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), babel({ presets: [reactCompilerPreset()] }), layerOrder(), earlyFiles(), precompress()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // Browsers of the target know it; pages of the gallery would share its file with every part.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: { groups: chunkGroups(import.meta.dirname) },
        chunkFileNames: ({ name }) => `assets/${shortened(name)}-[hash].js`,
        assetFileNames: ({ names }) => `assets/${shortened(names[0] ?? 'asset')}-[hash][extname]`,
      },
      // How long each plugin took says nothing to whoever starts the program.
      checks: { bundlerTimings: false },
      input: withGallery ? { index: 'index.html', gallery: 'gallery.html' } : { index: 'index.html' },
    },
    manifest: true,
  },
  server: {
    proxy: { '/services': { target: program, ws: true, rewriteWsOrigin: true }, '/session': { target: program } },
  },
});
