import { open } from 'node:fs/promises';
import { extname } from 'node:path';
import type { ExtractedMember } from './extraction.ts';

/** Extensions that a double click starts. */
const LAUNCHABLE: ReadonlySet<string> = new Set(
  `ade adp as bat chm cmd com cpl exe dll hta inf ins isp jar jse js lib lnk mde msc msp mst pif py scr sct shb sys url
  vb vbe vbs vxd wsc wsf wsh`.split(/\s+/),
);
/** Extensions that are usual in a file of this type. */
const USUAL: ReadonlyMap<string, ReadonlySet<string>> = new Map([['java/jar', new Set(['jar'])]]);

/** Types by the first bytes, in hexadecimal. */
const SIGNATURES: readonly (readonly [string, string])[] = [
  ['4d5a', 'executable/windows'],
  ['7f454c46', 'executable/linux'],
  ['feedface', 'executable/mach-o'],
  ['feedfacf', 'executable/mach-o'],
  ['cefaedfe', 'executable/mach-o'],
  ['cffaedfe', 'executable/mach-o'],
  ['4c0000000114020000000000c000000000000046', 'shortcut/windows'],
];

/** Returns true when the extension is one that a double click starts. */
export function isLaunchableName(name: string): boolean {
  return LAUNCHABLE.has(extensionOf(name));
}

/** Returns what makes a file in an archive of this type launchable, for people. Undefined: it is not. */
export async function launchableKind(file: ExtractedMember, archiveType: string): Promise<string | undefined> {
  const signature = await signatureOf(file.path);
  if (signature !== undefined) return signature;
  const extension = extensionOf(file.name);
  return LAUNCHABLE.has(extension) && USUAL.get(archiveType)?.has(extension) !== true ? `.${extension}` : undefined;
}

async function signatureOf(path: string): Promise<string | undefined> {
  await using handle = await open(path);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(20), 0, 20, 0);
  const begin = buffer.toString('hex', 0, bytesRead);
  return SIGNATURES.find(([signature]) => begin.startsWith(signature))?.[1];
}

function extensionOf(name: string): string {
  return extname(name).slice(1).toLowerCase();
}
