import type { ByteSource } from './byte-source.ts';

const DOS_HEADER_LENGTH = 0x40;
/** Offset of the position of the PE header in the DOS header. */
const PE_POSITION = 0x3c;
/** Signature and COFF file header. */
const PE_HEADER_LENGTH = 24;
const MACHINES: ReadonlyMap<number, Omit<PortableExecutable, 'kind'>> = new Map([
  [0x014c, { machine: 'x86', width: 32 }],
  [0x8664, { machine: 'x86', width: 64 }],
  [0x0200, { machine: 'ia', width: 64 }],
  [0xaa64, { machine: 'arm', width: 64 }],
]);
const IS_EXECUTABLE = 0x0002;
const IS_LIBRARY = 0x2000;

/** Type of a program for Windows, as far as its headers say. */
export interface PortableExecutable {
  readonly kind: 'pe' | 'dll';
  readonly machine: 'x86' | 'ia' | 'arm';
  readonly width: 32 | 64;
}

/** Reads the headers of a program for Windows (PE); undefined for anything else. */
export async function readPortableExecutable(source: ByteSource): Promise<PortableExecutable | undefined> {
  const dos = await source.read(0, DOS_HEADER_LENGTH);
  if (dos.length < DOS_HEADER_LENGTH || dos.toString('latin1', 0, 2) !== 'MZ') return undefined;
  const header = await source.read(dos.readUInt32LE(PE_POSITION), PE_HEADER_LENGTH);
  if (header.length < PE_HEADER_LENGTH || header.toString('latin1', 0, 4) !== 'PE\0\0') return undefined;
  const machine = MACHINES.get(header.readUInt16LE(4));
  const characteristics = header.readUInt16LE(22);
  if (machine === undefined) return undefined;
  if ((characteristics & IS_LIBRARY) !== 0) return { kind: 'dll', ...machine };
  return (characteristics & IS_EXECUTABLE) === 0 ? undefined : { kind: 'pe', ...machine };
}
