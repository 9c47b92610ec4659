export interface Point {
  x: number;
  y: number;
}

/** Where a line from the middle of a circle towards a point leaves it. */
export function circleRim(centre: Point, towards: Point, radius: number): Point {
  const length = Math.hypot(towards.x - centre.x, towards.y - centre.y) || 1;
  return {
    x: centre.x + ((towards.x - centre.x) / length) * radius,
    y: centre.y + ((towards.y - centre.y) / length) * radius,
  };
}

/** The same of a box, `half` as wide and as high. */
export function boxRim(
  centre: Point,
  towards: Point,
  half: { width: number; height: number },
): Point {
  const dx = towards.x - centre.x;
  const dy = towards.y - centre.y;
  const scale = Math.min(
    dx === 0 ? Infinity : half.width / Math.abs(dx),
    dy === 0 ? Infinity : half.height / Math.abs(dy),
  );
  return { x: centre.x + dx * scale, y: centre.y + dy * scale };
}
