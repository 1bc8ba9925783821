// Package fetch downloads one large file whose digest is known beforehand.
//
// It does not believe a server in anything: not in ranges, sizes, validators or
// bytes. It does not verify who runs the server either; the digest alone says
// whether a file is the right one, and without a digest nothing is fetched. Two
// fetches of one digest into one folder at once are the caller's to prevent.
//
// A broken download goes on where it broke, in the same call and in a later one,
// as long as the server says with a validator that the file is the same. When
// the pieces do not make the digest, all of it is fetched once more from the
// start, because one wrong piece cannot be told from another. A file that is
// wrong although it came in one piece is an error.
package fetch
