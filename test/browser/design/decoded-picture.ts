import type { BrowserContext } from 'playwright-core';

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Row by row, as `#rrggbb`. */
  readonly colours: readonly string[];
}

/** Opens an empty page that decodes pictures. Returns the function that takes a PNG in base64. */
export async function openDecoder(context: BrowserContext): Promise<(png: string) => Promise<Picture>> {
  const page = await context.newPage();
  return (png) =>
    page.evaluate(async (source) => {
      const image = new Image();
      image.src = `data:image/png;base64,${source}`;
      await image.decode();
      const { naturalWidth: width, naturalHeight: height } = image;
      const drawing = new OffscreenCanvas(width, height).getContext('2d');
      if (drawing === null) throw new Error('This browser draws no picture.');
      drawing.drawImage(image, 0, 0);
      const { data } = drawing.getImageData(0, 0, width, height);
      const hex = (at: number) => (data[at] ?? 0).toString(16).padStart(2, '0');
      const colours = Array.from({ length: width * height }, (_, pixel) => {
        const at = pixel * 4;
        return `#${hex(at)}${hex(at + 1)}${hex(at + 2)}`;
      });
      return { width, height, colours };
    }, png);
}
