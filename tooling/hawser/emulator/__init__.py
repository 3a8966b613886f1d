"""The embedded AWS emulator: two servers on the loopback interface that act as one AWS."""

from hawser.emulator.endpoints import environment
from hawser.emulator.noise import NoiseEntry, load_noise
from hawser.emulator.process import Emulator, down, status, up

__all__ = ["Emulator", "NoiseEntry", "down", "environment", "load_noise", "status", "up"]
