/** Draws the images of the demo project. Run by hand when a drawing changes; its output is committed. */
import path from 'node:path'
import sharp from 'sharp'

const OUTPUT = path.join(import.meta.dirname, '../examples/restaurants/content/files')
const WIDTH = 960
const HEIGHT = 640

const ink = '#2b2d42'
const paper = '#fdf6ec'

/** Pseudo-random numbers below 1 that are the same on every run. */
function dice(seed: number) {
  let state = seed
  return () => {
    state = (state * 16807) % 2147483647
    return state / 2147483647
  }
}

const svg = (body: string, width = WIDTH, height = HEIGHT) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${body}</svg>`

const rect = (x: number, y: number, w: number, h: number, fill: string, round = 0) =>
  `<rect x="${x}" y="${y}" width="${w}" height="${h}" rx="${round}" fill="${fill}"/>`

const circle = (x: number, y: number, r: number, fill: string) =>
  `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}"/>`

const ellipse = (x: number, y: number, rx: number, ry: number, fill: string) =>
  `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="${fill}"/>`

const shape = (d: string, fill: string) => `<path d="${d}" fill="${fill}"/>`

const line = (d: string, stroke: string, width: number) =>
  `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round"/>`

const sky = (top: string, bottom: string) =>
  `<defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${top}"/>` +
  `<stop offset="1" stop-color="${bottom}"/></linearGradient></defs>${rect(0, 0, WIDTH, HEIGHT, 'url(#sky)')}`

/** A row of gabled houses standing on `ground`, with lit windows. */
function houses(seed: number, ground: number, walls: readonly string[], light: string, tallest = 220) {
  const next = dice(seed)
  const parts: string[] = []
  for (let x = -20; x < WIDTH; ) {
    const width = 70 + next() * 60
    const height = tallest * (0.55 + next() * 0.45)
    const top = ground - height
    const wall = walls[Math.floor(next() * walls.length)] ?? paper
    parts.push(rect(x, top, width, height + 4, wall))
    parts.push(shape(`M${x - 6} ${top} L${x + width / 2} ${top - 46} L${x + width + 6} ${top} Z`, ink))
    for (let row = top + 22; row < ground - 50; row += 46)
      for (let column = x + 14; column < x + width - 22; column += 30)
        parts.push(rect(column, row, 14, 22, next() > 0.45 ? light : '#00000033', 2))
    x += width + 4
  }
  return parts.join('')
}

const waves = (from: number, color: string, crest: string) => {
  const crests = [0, 1, 2, 3, 4].map((row) => {
    const y = from + 30 + row * 34
    const starts = [0, 1, 2, 3].map((i) => 60 + i * 240 + (row % 2) * 110)
    return starts.map((x) => line(`M${x} ${y} q30 -14 60 0 t60 0`, crest, 5)).join('')
  })
  return rect(0, from, WIDTH, HEIGHT - from, color) + crests.join('')
}

const boat = (x: number, y: number, hull: string, sail: string) =>
  shape(`M${x} ${y} h130 l-24 34 h-82 Z`, hull) +
  rect(x + 60, y - 120, 6, 120, ink) +
  shape(`M${x + 70} ${y - 116} L${x + 126} ${y - 14} H${x + 70} Z`, sail) +
  shape(`M${x + 56} ${y - 96} L${x + 14} ${y - 14} H${x + 56} Z`, paper)

const plate = (rim = '#ffffff', well = '#f1ece4') =>
  ellipse(480, 350, 330, 220, '#00000022') +
  ellipse(480, 335, 330, 220, rim) +
  ellipse(480, 335, 245, 160, well)

const table = (color: string, stripe: string) =>
  rect(0, 0, WIDTH, HEIGHT, color) +
  [0, 1, 2, 3, 4, 5, 6].map((i) => rect(i * 160, 0, 70, HEIGHT, stripe)).join('')

const steam = (x: number, y: number) =>
  [0, 60, 120].map((dx) => line(`M${x + dx} ${y} q-26 -36 0 -70 t0 -70`, '#ffffffaa', 9)).join('')

const fish = (x: number, y: number, body: string, fin: string) =>
  shape(`M${x} ${y} q130 -110 290 -6 l70 -58 q-14 64 0 122 l-70 -52 q-160 96 -290 -6 Z`, body) +
  circle(x + 58, y - 10, 9, ink) +
  line(`M${x + 96} ${y - 42} q26 40 0 80`, fin, 6) +
  [150, 195, 240].map((dx) => line(`M${x + dx} ${y - 34} q18 32 0 64`, fin, 4)).join('')

type Point = readonly [x: number, y: number]

/** Points spread evenly over an ellipse. */
const around = (x: number, y: number, count: number, rx: number, ry: number): Point[] =>
  Array.from({ length: count }, (_, i) => {
    const angle = (i * 2 * Math.PI) / count
    return [Math.round(x + rx * Math.cos(angle)), Math.round(y + ry * Math.sin(angle))]
  })

/** Lanterns hung along the curve from `a` to `c` that bends towards `b`. */
const lanterns = (a: Point, b: Point, c: Point) =>
  [0.12, 0.37, 0.62, 0.87]
    .map((t, i) => {
      const on = (k: 0 | 1) => Math.round((1 - t) ** 2 * a[k] + 2 * t * (1 - t) * b[k] + t ** 2 * c[k])
      return circle(on(0), on(1) + 16, 18, i % 2 ? '#ff9f1c' : '#ffd166')
    })
    .join('')

const scenes: Record<string, string> = {
  'old-harbour':
    sky('#f7b267', '#fbe3c0') +
    circle(700, 210, 70, '#fff1d0') +
    houses(7, 430, ['#d1495b', '#edae49', '#66a182', '#f4e3c1', '#2e4057'], '#ffe9a8') +
    waves(430, '#22577a', '#57a0c2') +
    boat(150, 500, '#d1495b', '#edae49') +
    boat(600, 540, '#f4e3c1', '#66a182'),
  'lantern-hill':
    sky('#1b1f3b', '#53354a') +
    [90, 210, 330, 470, 590, 760, 880]
      .map((x, i) => circle(x, 50 + ((i * 67) % 120), 3, '#fff8d6'))
      .join('') +
    circle(800, 120, 46, '#fdf3c7') +
    shape('M0 640 V430 Q300 180 560 330 T960 300 V640 Z', '#2a2f4f') +
    houses(23, 560, ['#3b3561', '#4a3f6b', '#2f2a4f'], '#ffd166', 170) +
    line('M0 250 Q240 360 480 260 T960 240', '#e8c07d', 4) +
    lanterns([0, 250], [240, 360], [480, 260]) +
    lanterns([480, 260], [720, 160], [960, 240]) +
    rect(0, 560, WIDTH, 80, '#1a1730'),
  tanneries:
    sky('#a8dadc', '#f1faee') +
    houses(41, 480, ['#b08968', '#7f5539', '#ddb892', '#9c6644'], '#fff3b0', 260) +
    rect(0, 480, WIDTH, 160, '#4d7c8a') +
    shape('M120 480 Q480 300 840 480 H760 Q480 370 200 480 Z', '#ede0d4') +
    [200, 420, 640].map((x) => line(`M${x} 560 q30 -12 60 0 t60 0`, '#8fb8c4', 5)).join(''),
  glassworks:
    sky('#355070', '#eaac8b') +
    rect(120, 250, 300, 310, '#6d597a') +
    rect(440, 320, 400, 240, '#b56576') +
    [160, 250, 340].map((x) => rect(x, 300, 56, 90, '#ffe8b6', 28)).join('') +
    [480, 580, 680, 780].map((x) => rect(x, 380, 46, 70, '#ffe8b6', 4)).join('') +
    rect(700, 110, 56, 220, '#355070') +
    [0, 1, 2, 3].map((i) => circle(740 + i * 52, 90 - i * 16, 34 + i * 8, '#ffffff55')).join('') +
    rect(0, 560, WIDTH, 80, ink),
  'botanic-gardens':
    sky('#caf0f8', '#f1f8e9') +
    shape('M220 520 V330 Q480 110 740 330 V520 Z', '#ffffffcc') +
    [300, 380, 460, 540, 620].map((x) => line(`M${x} 520 V260`, '#9ad1b8', 5)).join('') +
    line('M220 400 H740', '#9ad1b8', 5) +
    rect(0, 510, WIDTH, 130, '#588157') +
    [60, 150, 800, 890]
      .map((x, i) => rect(x - 6, 400, 12, 120, '#7f5539') + circle(x, 370, 62, i % 2 ? '#3a5a40' : '#6a994e'))
      .join('') +
    [120, 260, 380, 560, 700, 840].map((x, i) => circle(x, 560 + (i % 3) * 20, 10, '#f28482')).join(''),
  'grilled-bream':
    table('#e8f1f2', '#dbe9ec') +
    plate() +
    fish(290, 345, '#7d98a1', '#5e7b85') +
    [400, 520, 600].map((x, i) => ellipse(x, 440 - i * 8, 46, 24, '#f6e27f')).join('') +
    line('M330 250 q60 -60 130 -30', '#6a994e', 12),
  chowder:
    table('#264653', '#2b4f5e') +
    ellipse(480, 400, 320, 190, '#00000033') +
    shape('M170 330 Q200 580 480 580 T790 330 Z', '#e9c46a') +
    ellipse(480, 330, 310, 110, '#f4d58d') +
    ellipse(480, 330, 270, 88, '#fff3d6') +
    [380, 470, 560, 430, 530].map((x, i) => ellipse(x, 310 + (i % 2) * 40, 34, 16, '#f4a261')).join('') +
    [420, 500, 590].map((x, i) => circle(x, 345 - i * 18, 8, '#6a994e')).join('') +
    steam(400, 230),
  dumplings:
    table('#5f0f40', '#6a1648') +
    ellipse(480, 350, 320, 230, '#c19a6b') +
    ellipse(480, 335, 320, 230, '#ddb892') +
    ellipse(480, 335, 280, 195, '#ede0d4') +
    [
      [350, 270],
      [480, 240],
      [610, 270],
      [330, 370],
      [480, 360],
      [630, 370],
      [410, 450],
      [550, 450],
    ]
      .map(
        ([x = 0, y = 0]) =>
          ellipse(x, y, 58, 42, '#fffaf0') +
          line(`M${x - 40} ${y - 8} q40 -40 80 0`, '#e6d5bd', 5) +
          line(`M${x} ${y - 34} v20`, '#e6d5bd', 5),
      )
      .join(''),
  'plum-tart':
    table('#f8edeb', '#fcd5ce') +
    plate('#ffffff', '#fff7f0') +
    circle(480, 330, 165, '#d4a373') +
    circle(480, 330, 142, '#faedcd') +
    around(480, 330, 8, 95, 95)
      .map(([x, y], i) => circle(x, y, 36, i % 2 ? '#7b2d5b' : '#9b3d73'))
      .join('') +
    circle(480, 330, 44, '#7b2d5b') +
    circle(470, 318, 10, '#ffffff55'),
  flatbread:
    table('#3a5a40', '#41654a') +
    rect(200, 140, 560, 400, '#a47148', 30) +
    ellipse(480, 340, 230, 160, '#e6b980') +
    ellipse(480, 335, 205, 138, '#f2d0a4') +
    around(480, 335, 8, 128, 82)
      .map(([x, y], i) => circle(x, y, i % 2 ? 22 : 27, '#c1121f'))
      .join('') +
    around(480, 335, 5, 62, 40)
      .map(([x, y]) => ellipse(x, y, 24, 12, '#588157'))
      .join(''),
  coffee:
    table('#ffe8d6', '#ffddc4') +
    ellipse(480, 500, 260, 60, '#cb997e') +
    ellipse(480, 490, 260, 60, '#ffffff') +
    shape('M310 270 Q320 490 480 490 T650 270 Z', '#ffffff') +
    line('M640 320 q110 -6 90 70 q-20 70 -118 50', '#ffffff', 24) +
    ellipse(480, 270, 170, 46, '#f1ece4') +
    ellipse(480, 274, 150, 36, '#6f4518') +
    line('M430 274 q50 -30 100 0 q-50 26 -100 0', '#ddb892', 7) +
    steam(420, 200),
}

/** A bust in front of a disc: enough of a face to tell the chefs apart. */
const portrait = (back: string, skin: string, hair: string, jacket: string) =>
  svg(
    rect(0, 0, 480, 480, back) +
      circle(240, 240, 190, '#ffffff33') +
      shape('M70 480 Q80 340 240 340 T410 480 Z', jacket) +
      rect(205, 280, 70, 90, skin, 30) +
      circle(240, 215, 92, skin) +
      shape('M146 210 Q150 110 240 112 T334 210 Q300 160 240 160 T146 210 Z', hair) +
      circle(208, 222, 8, ink) +
      circle(272, 222, 8, ink) +
      line('M212 258 q28 22 56 0', ink, 6) +
      line('M240 380 v90', '#00000022', 4),
    480,
    480,
  )

const portraits: Record<string, string> = {
  'ines-valcourt': portrait('#e76f51', '#e0ac7e', '#3d2b1f', '#ffffff'),
  'tomas-reyl': portrait('#2a9d8f', '#f1c9a5', '#b08968', '#f8f9fa'),
  'mirela-danso': portrait('#e9c46a', '#8d5524', '#1b1b1e', '#fdfcdc'),
  'jun-hatori': portrait('#457b9d', '#f0c39d', '#22223b', '#ffffff'),
}

const drawings = [
  ...Object.entries(scenes).map(([name, body]) => [name, svg(body)] as const),
  ...Object.entries(portraits),
]

for (const [name, drawing] of drawings) {
  const picture = sharp(Buffer.from(drawing))
  const { width = WIDTH } = await picture.metadata()
  const { size } = await picture
    .resize({ width: (width * 3) / 4 })
    .webp({ quality: 82 })
    .toFile(path.join(OUTPUT, `${name}.webp`))
  console.log(`${name}.webp ${size} bytes`)
}
