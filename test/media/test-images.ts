/** Images for tests, generated on demand. */
import sharp from 'sharp'

/** An image of one colour. */
export const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 40, b: 40 } } })

/** An image of random pixels, which does not compress. */
export const noise = (width: number, height: number) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: 'black',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })

/** A GIF of several frames, each of another colour. */
export async function animation(width: number, height: number, frames: number): Promise<Buffer> {
  const stills = await Promise.all(
    Array.from({ length: frames }, (_, index) =>
      sharp({ create: { width, height, channels: 3, background: { r: index * 60, g: 90, b: 20 } } })
        .png()
        .toBuffer(),
    ),
  )
  return sharp(stills, { join: { animated: true } })
    .gif()
    .toBuffer()
}
